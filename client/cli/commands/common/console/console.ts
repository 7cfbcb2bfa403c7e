import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { consolePath, readConsole } from '../../../../../console/serving/files.ts';
import { safeAddress } from '../../../../addresses.ts';
import { type Cli, outputOf } from '../../../cli.ts';
import { withTokens } from '../../../connect.ts';
import { examples, positive } from '../../../options.ts';
import { Problem, usageProblem } from '../../../problems.ts';
import { createLinks } from './links.ts';
import { type ConsoleServer, type ConsoleServerOptions, startConsoleServer } from './server.ts';

type Flags = { readonly port?: number; readonly path: string };

const idleHours = 12;

/** Adds `console`. */
export function addConsole(program: Command, cli: Cli): void {
  const command = program
    .command('console')
    .description('Look at rooms, sessions, transcripts and usage in a browser on this machine. Ends at Ctrl-C.')
    .addOption(new Option('--port <number>', 'Port of this machine. Default: a free one.').argParser(portOf))
    .addOption(new Option('--path <view>', 'Address of the first view, after /console.').default('/rooms', '/rooms'))
    .addHelpText(
      'after',
      examples('$ roomscribe console', "$ roomscribe console --profile dev --path '/room?name=/team/standup'"),
    );
  command.action(async ({ port = 0, path: view }: Flags) => {
    const output = outputOf(cli, command);
    const files = await readConsole(builtFolder(cli), { media: ["'self'"] }); // recordings come from this server, too
    requireView(view);
    await withTokens(cli, command, async ({ tokens, owner, account, remedy }) => {
      await tokens.get(); // fails now, and not at the first call of the page
      const apiUrl = safeAddress('apiUrl', account.apiUrl);
      const upstream = { apiUrl, tokens, remedy, links: createLinks() };
      const deployment = owner ?? new URL(apiUrl).host;
      const server = await start({ port, files, upstream, deployment, view, idleMs: idleHours * 3_600_000 });
      output.print({ link: server.link }, () => `Open ${server.link}`);
      output.note('The link works once, in one browser. End with Ctrl-C.');
      if ((await endOf(server, cli.signal)) === 'idle')
        output.note(`Nobody used the console for ${idleHours} hours. It has ended.`);
      await server.stop();
    });
  });
}

function portOf(value: string): number {
  const port = positive('--port')(value);
  if (Number.isInteger(port) && port <= 65_535) return port;
  throw usageProblem(`--port must be a whole number from 1 to 65535, not "${value}".`);
}

/** A view is an address below `/console/`: an address of another server, or outside of the console, is none. */
function requireView(view: string): void {
  const base = `http://localhost${consolePath.slice(0, -1)}`;
  const url = view.startsWith('/') && URL.canParse(`${base}${view}`) ? new URL(`${base}${view}`) : undefined;
  if (url?.href === `${base}${view}`) return;
  throw usageProblem(`--path must be the address of a view such as /rooms, encoded as in a browser, not "${view}".`);
}

/** The folder of the page. The package has it beside the program. */
function builtFolder({ consoleFolder = path.join(import.meta.dirname, 'console') }: Cli): string {
  if (existsSync(path.join(consoleFolder, 'index.html'))) return consoleFolder;
  throw new Problem('unexpected', `The page of the console is not in ${consoleFolder}.`, {
    code: 'console_not_built',
    hint: 'Install the package again. In its repository, run npm run build, and then node dist/cli/main.js console.',
  });
}

async function start(options: ConsoleServerOptions): Promise<ConsoleServer> {
  try {
    return await startConsoleServer(options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw usageProblem(`Port ${options.port} is in use.`, 'Leave --port out to use a free one.');
    if (code === 'EACCES')
      throw usageProblem(`You are not allowed to use port ${options.port}.`, 'Leave --port out to use a free one.');
    throw error;
  }
}

/** Waits for Ctrl-C, or until nobody uses the console any more. */
async function endOf({ idle }: ConsoleServer, signal: AbortSignal): Promise<'idle' | 'interrupted'> {
  if (signal.aborted) return 'interrupted';
  const interrupted = new Promise<'interrupted'>((resolve) =>
    signal.addEventListener('abort', () => resolve('interrupted'), { once: true }),
  );
  return Promise.race([interrupted, idle.then(() => 'idle' as const)]);
}
