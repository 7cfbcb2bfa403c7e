import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { host } from '#tools/local/ports.ts';
import { errorMessage } from '#tools/shared/error-details.ts';

const run = promisify(execFile);

const installation = path.resolve('node_modules/.cache/aws-emulator');
const python = path.join(installation, 'bin/python');

/** Environment of commands that use the emulator as AWS. */
type AwsEnvironment = Readonly<Record<string, string | undefined>>;

/** A running MiniStack, which listens only on this machine. */
export type Emulator = {
  readonly url: string;
  readonly env: AwsEnvironment;
  readonly stop: () => Promise<void>;
};

/** Installs the emulator if it is missing, and checks each file by its hash. */
async function install(): Promise<void> {
  try {
    await run('python3', ['-m', 'venv', installation]);
    const pinned = ['--require-hashes', '--only-binary', ':all:', '-r', 'test/emulator/requirements.txt'];
    await run(python, ['-m', 'pip', 'install', '--disable-pip-version-check', ...pinned]);
  } catch (error) {
    throw new Error(
      'The AWS emulator could not be installed. It needs Python 3.11 or newer with venv (on Debian: apt-get install ' +
        `python3 python3-venv) and, the first time, PyPI.\n${errorMessage(error)}`,
      { cause: error },
    );
  }
}

/** Installs and starts the emulator on a free port, and waits until it responds. `stop` deletes its data. */
export async function startEmulator(): Promise<Emulator> {
  await install();
  const [port, folder] = await Promise.all([getPort({ host }), mkdtemp(path.join(tmpdir(), 'roomscribe-emulator-'))]);
  const url = `http://${host}:${port}`;
  const child = spawn(python, ['test/emulator/patched_emulator.py'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      BIND_HOST: host,
      GATEWAY_PORT: String(port),
      LOG_LEVEL: 'WARNING',
      TMPDIR: folder,
      STATE_DIR: path.join(folder, 'state'), // the keys that sign tokens
      // The runtime of Lambda contains the SDK, which CDK's function that empties buckets needs.
      NODE_PATH: path.resolve('node_modules'),
      AWS_REGION: region,
      // Do not start servers on other ports.
      IOT_MTLS_ENABLED: '0',
      SFTP_ENABLED: '0',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill();
    await ended;
    await rm(folder, { recursive: true });
  };
  try {
    await untilResponding(url, () => child.exitCode !== null);
  } catch (error) {
    await stop();
    throw new Error(`The AWS emulator did not start:\n${output}`, { cause: error });
  }
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_SESSION_TOKEN: undefined };
  const env = { ...process.env, AWS_ENDPOINT_URL: url, AWS_REGION: region, AWS_PROFILE: undefined, ...credentials };
  return { url, env, stop };
}

/** The emulated region. */
export const region = 'eu-central-1';

async function untilResponding(url: string, hasEnded: () => boolean): Promise<void> {
  const deadline = AbortSignal.timeout(30_000);
  while (!hasEnded()) {
    deadline.throwIfAborted();
    try {
      await fetch(url, { signal: deadline });
      return;
    } catch (error) {
      if (deadline.aborted) throw error;
      await delay(100);
    }
  }
  throw new Error('The emulator exited.');
}

/** Runs a project command with the emulator as AWS. If it fails, throws an error with all its output. */
export async function runCommand(env: AwsEnvironment, command: string, ...args: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await run(command, args, { env, timeout: 110_000, maxBuffer: 100_000_000 });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
