import path from 'node:path';
import { builtConsole } from '#client/build/console.ts';
import { type Endpoints, removeEndpoints, writeEndpoints } from '../shared/endpoints.ts';
import { errorMessage } from '../shared/error-details.ts';
import { loginCommand } from '../shared/login-command.ts';
import { runCommand } from '../shared/run-command.ts';
import { openTerminal } from '../shared/terminal.ts';
import { demoOrganization as organizationId, requestToken } from '../shared/token.ts';
import { showDemo } from './demo/show-demo.ts';
import { type Flags, readFlags, settingsOf } from './flags.ts';
import { type Runner, startRunner } from './runner.ts';
import { missingPrograms } from './transcribe/media/required-programs.ts';

// `npm start`: runs the service on this machine until you press Ctrl-C.

const stopLimitMs = 4500;
const parentCheckMs = 250;
const terminal = openTerminal();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
if (process.env.npm_lifecycle_event !== undefined) stopWithParent();

function stop(): void {
  stopping.abort();
  setTimeout(() => process.exit(), stopLimitMs).unref(); // even if something hangs, stopping takes under 5 seconds
}

/** npm sends SIGTERM to its shell only, and the shell exits without forwarding it. So a new parent process means: stop. */
function stopWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, parentCheckMs).unref();
}

async function main(): Promise<void> {
  const flags = readFlags(process.argv.slice(2));
  const startedAt = Date.now();
  if (flags.publicUrl === undefined) buildBeside();
  const runner = await startRunner({
    ...flags,
    context: settingsOf(flags),
    onProgress: terminal.progress,
    onLimit: terminal.say,
    signal: stopping.signal,
  });
  const endpointsFile = path.resolve(flags.dataDir, 'endpoints.json');
  try {
    await writeEndpoints(endpointsFile, runner.endpoints);
    await serve(flags, runner, endpointsFile, Date.now() - startedAt);
  } finally {
    terminal.say('Stopping.');
    await removeEndpoints(endpointsFile);
    await runner.stop();
  }
}

/** Builds the console, if its sources have changed, while the services start. It tells of a failure, and the console tells it, too. */
function buildBeside(): void {
  builtConsole().catch((error) => {
    if (!stopping.signal.aborted) terminal.say(`The console cannot be built: ${errorMessage(error)}`);
  });
}

async function serve(flags: Flags, { endpoints }: Runner, endpointsFile: string, tookMs: number): Promise<void> {
  const { signal } = stopping;
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
  const token = await requestToken(endpoints, organizationId, signal);
  const isPublic = flags.publicUrl !== undefined;
  printEndpoints(endpoints, { endpointsFile, token, tookMs, isPublic });
  warnOfMissingPrograms();
  if (flags.demo) await showDemo({ endpoints, organizationId, token, dataDir: flags.dataDir, terminal, signal });
  if (signal.aborted) return;
  terminal.say('\nServing. Press Ctrl-C to stop.');
  await stopped;
}

function warnOfMissingPrograms(): void {
  const missing = missingPrograms();
  if (missing.length === 0) return;
  terminal.say(
    `Missing programs: ${missing.join(', ')}. Transcriptions fail without them, and the demo skips its recording. ` +
      'Run npm run setup, then start again.\n',
  );
}

type Start = {
  readonly endpointsFile: string;
  readonly token: string;
  readonly tookMs: number;
  /** Whether strangers may reach the API. */
  readonly isPublic: boolean;
};

function printEndpoints(endpoints: Endpoints, { endpointsFile, token, tookMs, isPublic }: Start): void {
  terminal.say(`Roomscribe is ready (${(tookMs / 1000).toFixed(1)} s).

  API          ${endpoints.apiUrl}${endpoints.publicUrl === endpoints.apiUrl ? '' : `, from elsewhere ${endpoints.publicUrl}`}
  API docs     ${endpoints.docsUrl}
  console      ${isPublic ? 'log in as below, then run: roomscribe console' : endpoints.consoleUrl}
  tokens       ${endpoints.tokenUrl} (client id: any organization, secret: "local")
  DynamoDB     ${endpoints.dynamodbUrl}
  SQS, S3      ${endpoints.sqsUrl}
  Transcribe   ${endpoints.transcribeUrl}
  addresses    ${endpointsFile}
  logs         ${path.join(path.dirname(endpointsFile), 'logs')}

An access token for the organization "${organizationId}", valid for one hour:

  TOKEN=${token}

  curl -H "Authorization: Bearer $TOKEN" ${endpoints.apiUrl}/v1/transcriptions

To log in with the command line (it asks for the secret):

  ${loginCommand({ profile: 'local', apiUrl: endpoints.apiUrl, tokenUrl: endpoints.tokenUrl, clientId: organizationId })}
`);
}

await runCommand(async () => {
  try {
    await main();
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    terminal.settle();
  }
});
// Open connections of the SDK or of fetch must not delay the exit.
process.exit();
