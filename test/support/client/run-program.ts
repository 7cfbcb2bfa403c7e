import { execFile } from 'node:child_process';

/** The exit code and the output of a program. */
export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs a program as a user's shell does, without the environment of npm and of this test run. */
export function run(
  program: string,
  args: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  const usual = Object.entries(process.env).filter(([name]) => !/^(npm_|node_|vitest|test$)/i.test(name));
  return new Promise((resolve) => {
    const settings = { cwd: folder, env: { ...Object.fromEntries(usual), ...env }, maxBuffer: 2 ** 26 };
    execFile(program, args, settings, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

/** Runs a program like `run`, and throws unless it succeeds. */
export async function succeed(...call: Parameters<typeof run>): Promise<Ended> {
  const ended = await run(...call);
  if (ended.code === 0) return ended;
  throw new Error(`${call[0]} ${call[1].join(' ')} ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`);
}
