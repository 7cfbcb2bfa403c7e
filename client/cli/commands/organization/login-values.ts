import { text } from 'node:stream/consumers';
import input from '@inquirer/input';
import password from '@inquirer/password';
import { addressProblem } from '../../../addresses.ts';
import { unlessAborted } from '../../../signals.ts';
import { type Cli, canAsk } from '../../cli.ts';
import { usageProblem } from '../../problems.ts';
import { type Account, requireToken, tokenProblem } from '../../profiles.ts';

/** The values of the options of `login`. */
export type LoginFlags = {
  readonly apiUrl?: string;
  readonly tokenUrl?: string;
  readonly clientId?: string;
  readonly scope?: string;
  readonly clientSecretStdin?: boolean;
  readonly tokenStdin?: boolean;
};

type Value = {
  readonly flag: 'apiUrl' | 'tokenUrl' | 'clientId';
  readonly option: string;
  readonly question: string;
  /** What the value must be, if it is not. */
  readonly problem: (value: string) => string | undefined;
};

const values: readonly Value[] = [
  { flag: 'apiUrl', option: '--api-url', question: 'API URL', problem: addressProblem },
  { flag: 'tokenUrl', option: '--token-url', question: 'Token URL', problem: addressProblem },
  { flag: 'clientId', option: '--client-id', question: 'Client id', problem: idProblem },
];

function idProblem(id: string): string | undefined {
  return /^[\x20-\x7e]+$/.test(id) ? undefined : 'must be visible ASCII characters.';
}

function secretProblem(secret: string): string | undefined {
  return secret === '' ? 'must not be empty.' : undefined;
}

/**
 * The account of the options, the environment and the answers of a person. Checks every given value before the first
 * question, and every answer when it is given. Without a terminal, the problem names all missing options. `nameOf` returns
 * what the person set: an option, or its variable.
 */
export async function readAccount(
  cli: Cli,
  flags: LoginFlags,
  nameOf: (value: Pick<Value, 'flag' | 'option'>) => string,
): Promise<Account> {
  const wanted = values.filter(({ flag }) => flag === 'apiUrl' || !flags.tokenStdin);
  for (const value of wanted) {
    const given = flags[value.flag];
    const problem = given ? value.problem(given) : undefined;
    if (problem !== undefined) throw usageProblem(`${nameOf(value)} ${problem}`);
  }
  requireTerminal(cli, [
    ...wanted.filter(({ flag }) => !flags[flag]).map(({ option }) => option),
    ...(needsSecret(cli, flags) ? ['--client-secret-stdin'] : []),
  ]);
  const answers = { apiUrl: '', tokenUrl: '', clientId: '' };
  for (const value of wanted) answers[value.flag] = flags[value.flag] || (await ask(cli, value));
  const { apiUrl, ...client } = answers;
  if (flags.tokenStdin) return { apiUrl, token: requireToken(await readSecret(cli, '--token-stdin'), 'stdin') };
  const clientSecret = await readClientSecret(cli, flags);
  return { apiUrl, ...client, clientSecret, ...(flags.scope && { scope: flags.scope }) };
}

/** Without a terminal, throws a problem that names all missing options at once. */
function requireTerminal(cli: Cli, missing: readonly string[]): void {
  if (missing.length === 0 || canAsk(cli)) return;
  const [verb, what] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const names = new Intl.ListFormat('en-GB').format(missing);
  throw usageProblem(`${names} ${verb} missing.`, `Without a terminal, the command cannot ask for ${what}.`);
}

function needsSecret({ env }: Cli, { tokenStdin, clientSecretStdin }: LoginFlags): boolean {
  return !tokenStdin && !clientSecretStdin && !env.ROOMSCRIBE_CLIENT_SECRET;
}

async function readClientSecret(cli: Cli, flags: LoginFlags): Promise<string> {
  if (flags.clientSecretStdin) return readSecret(cli, '--client-secret-stdin');
  return cli.env.ROOMSCRIBE_CLIENT_SECRET || askHidden(cli, 'Client secret', secretProblem);
}

/** Reads a secret from stdin, or asks for it with hidden input on a terminal. */
async function readSecret(cli: Cli, option: '--token-stdin' | '--client-secret-stdin'): Promise<string> {
  if (canAsk(cli)) {
    return option === '--token-stdin'
      ? askHidden(cli, 'Token', tokenProblem)
      : askHidden(cli, 'Client secret', secretProblem);
  }
  const secret = (await unlessAborted(text(cli.stdin), cli.signal)).trim();
  if (secret === '') throw usageProblem(`${option} needs a value on stdin, but stdin is empty.`);
  return secret;
}

async function ask(cli: Cli, { question, problem }: Value): Promise<string> {
  const validate = (answer: string) => complaint(question, problem(answer.trim()));
  return (await input({ message: question, required: true, validate }, contextOf(cli))).trim();
}

async function askHidden(cli: Cli, message: string, problem: Value['problem']): Promise<string> {
  const validate = (answer: string) => complaint(message, problem(answer.trim()));
  return (await password({ message, validate }, contextOf(cli))).trim();
}

/** What a prompt shows below an invalid answer, before it asks again. */
function complaint(question: string, problem: string | undefined): true | string {
  return problem === undefined ? true : `${question} ${problem}`;
}

function contextOf({ stdin, stderr, signal }: Cli) {
  return { input: stdin, output: stderr, signal };
}
