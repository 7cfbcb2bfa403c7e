import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../../client/cli/run.ts';
import { runOrganization } from '../../../tools/operations/organization/run.ts';
import type { Dependencies } from '../../../tools/operations/organization/scope.ts';
import { HelpText } from '../../../tools/shared/command-line.ts';
import { type Answers, awsCli, stackAnswers } from '../../support/aws-cli/fake-cli.ts';
import { blocksOf, documents } from '../../support/documents.ts';
import { type Program, runScript } from '../../support/shell.ts';
import { stackOf } from '../../support/templates.ts';

const run = promisify(execFile);
const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;

/** Runs a command once for each set of arguments and remembers the result. */
function once(make: (...args: string[]) => Promise<string>): (...args: string[]) => Promise<string> {
  const results = new Map<string, Promise<string>>();
  return (...args) => {
    const key = args.join(' ');
    const result = results.get(key) ?? make(...args);
    results.set(key, result);
    return result;
  };
}

/** The help of a project command. */
const usageOf = once(async (script, ...args) => {
  if (script === 'organization') {
    const help: unknown = await runOrganization([...args, '--help'], {} as Dependencies).catch((error) => error);
    if (help instanceof HelpText) return help.message;
    throw help;
  }
  const program = /^(?:exec )?node (\S+\.ts)$/.exec(scripts[script] ?? '')?.[1];
  if (program === undefined) return '';
  const { stdout } = await run(process.execPath, [program, ...args, '--help']);
  return stdout;
});

const npmCommands = ['ci', 'start', 'test', 'init', 'install', 'pack', 'pkg'];

/** npm: its own commands, and the project's scripts with the options that they know. */
const npm: Program = async ({ args: [command = '', ...rest] }) => {
  if (npmCommands.includes(command)) return '';
  const [script = '', separator, ...args] = rest;
  if (command !== 'run' || !(script in scripts)) throw new Error('unknown script');
  if (separator !== undefined && separator !== '--') throw new Error('npm reads these options as its own');
  if (args.length === 0) return '';
  const options = args.filter((arg) => arg.startsWith('--'));
  const words = args.slice(0, options[0] === undefined ? args.length : args.indexOf(options[0]));
  const usage = await usageOf(script, ...words);
  const unknown = [...words.slice(0, 1), ...options].find(
    (word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(usage),
  );
  if (unknown !== undefined) throw new Error(`${script} has no ${unknown}`);
  return '';
};

type CdkOptions = Readonly<Record<string, { readonly alias?: string | readonly string[] }>>;
/** The commands and options of the CDK: the file from which its command line is generated. */
const cdk: {
  readonly globalOptions: CdkOptions;
  readonly commands: Readonly<Record<string, { readonly options?: CdkOptions }>>;
} = JSON.parse(readFileSync('node_modules/aws-cdk/lib/cli/cli-type-registry.json', 'utf8'));

const npx: Program = async ({ args: [program, command = '', ...flags] }) => {
  if (program === 'node') return flags.includes('process.execPath') ? process.execPath : 'printed';
  if (program !== 'cdk') throw new Error('unknown program');
  const known = cdk.commands[command];
  if (!known) throw new Error(`cdk has no command ${command}`);
  const options = Object.entries({ ...cdk.globalOptions, ...known.options });
  const names = options
    .flatMap(([name, { alias = [] }]) => [name, alias].flat())
    .map((name) => (name.length > 1 ? `--${name}` : `-${name}`));
  for (const flag of flags.filter((each) => each.startsWith('-')))
    if (!names.includes(flag)) throw new Error(`cdk ${command} has no option ${flag}`);
  return '';
};

/** One response with all fields that the pages wait for. */
const curl: Program = async () => `HTTP/2 201\nlocation: /v1/transcriptions/9226ec25-8833-431d-82bc-05dbfd0728fb\n
{"access_token":"a.b.c","state":"ready","accessLink":"https://link.example","totalUniqueParticipants":2}\n`;

/** A port that fetch never calls. */
const unreachableUrl = 'http://127.0.0.1:9';
const unreachableService = {
  ROOMSCRIBE_API_URL: unreachableUrl,
  ROOMSCRIBE_TOKEN_URL: unreachableUrl,
  ROOMSCRIBE_CLIENT_ID: 'id',
  ROOMSCRIBE_CLIENT_SECRET: 'secret',
  ROOMSCRIBE_MAX_RETRIES: '0',
  ROOMSCRIBE_CONFIG_DIR: '/nonexistent',
  ROOMSCRIBE_CACHE_DIR: '/nonexistent',
};
for (const [name, value] of Object.entries(unreachableService)) vi.stubEnv(name, value); // the option parser reads them there
afterAll(() => vi.unstubAllEnvs());
/** Exit codes of a valid command: done, no such profile, service not reachable. */
const validExitCodes = [0, 3, 7];

const resultOfCommand = once(async (...args) => {
  const [stdout, stderr] = [new PassThrough().resume(), new PassThrough()];
  const printed = text(stderr);
  const io = { stdin: Readable.from(['secret']), stdout, stderr } as object as typeof process; // no terminals
  const signal = new AbortController().signal;
  const code = await runCommandLine(args, { ...io, env: unreachableService, signal });
  stderr.end();
  return validExitCodes.includes(code) ? '' : await printed;
});

/** The real command line with a service that does not respond. Prints an ID. */
const roomscribe: Program = async ({ args }) => {
  const problem = await resultOfCommand(...args);
  if (problem !== '') throw new Error(problem);
  return '9226ec25-8833-431d-82bc-05dbfd0728fb\n';
};

const nothing: Program = async () => '';

/** Resources and outputs of the templates, because commands look them up by name. */
const { resources, outputs } = stackOf('prod');
const stack = stackAnswers(
  Object.fromEntries(Object.keys(outputs).map((name) => [name, `value-of-${name}`])),
  resources,
);

const programs = (asked: string[] = []) => ({
  ...{ npm, npx, curl, roomscribe, sleep: nothing, git: nothing },
  aws: awsCli((command) => {
    asked.push(...Object.values(command.input).map(String), ...command.positionals);
    if (command.operation === 'get-queue-attributes') return { Attributes: { QueueArn: 'arn-of-a-queue' } };
    return stack(command);
  }),
});

/** Values that a reader of the page sets. */
const environment = {
  CLIENT_ID: 'id',
  CLIENT_SECRET: 'secret',
  TOKEN_URL: 'https://tokens.example',
  VERSION: '1.2.3',
  API: 'https://api.example',
  TOKEN: 'token',
};
const files = { '../roomscribe-tutorial/tutorial.ts': '' };
/** Excludes the page about the sample recording, which was made once with other programs. */
const pages = documents.filter((page) => blocksOf(page, 'sh').length > 0 && !page.startsWith('tools/local/sample/'));

describe.each(pages)('the commands of %s', (page) => {
  const blocks = blocksOf(page, 'sh');

  test('are valid for the shell, npm, the CDK and AWS, and refer to resources that exist', {
    timeout: 60_000,
  }, async () => {
    const asked: string[] = [];
    const outcome = await runScript(blocks.join('\n'), programs(asked), { environment, files });
    expect(outcome.failures).toEqual([]);
    expect(outcome.stderr).toBe('');
    expect(outcome.code).toBe(0);
    expect(asked.filter((value) => value === '' || value === 'None')).toEqual([]);
  });
});

/** The commands of a page from the one that names the stage. */
const runbooks = pages.flatMap((page) => {
  const script = blocksOf(page, 'sh').join('\n');
  const start = script.indexOf('. tools/operations/stage.sh');
  return start < 0 ? [] : [{ page, script: script.slice(start) }];
});

/** Runs a script with an AWS CLI that answers with `answer`, and returns the commands that it received. */
async function runOn(answer: Answers, script: string) {
  const received: string[] = [];
  const aws = awsCli((command) => {
    received.push(`${command.operation} ${Object.values(command.input).join(' ')}`);
    return answer(command);
  });
  return { ...(await runScript(script, { ...programs(), aws }, { environment, files })), received };
}

const noStage = () => {
  throw new Error('Stack with id Roomscribe-prod does not exist');
};
const emptyStage = stackAnswers({});

describe.each(runbooks)('the commands of $page', ({ script }) => {
  test('end before the first one that works on a missing stage', async () => {
    const { code, stderr, received } = await runOn(noStage, script);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^Stage (dev|prod) was not found\. Check its name, AWS_REGION and your credentials\.\n$/);
    expect(received).toHaveLength(1);
  });

  test.runIf(/(?<!-)\b(output|resource|lambda|log_lines|all_log_lines|resources) /.test(script))(
    'end at the first missing output or resource, before a command receives an empty value',
    async () => {
      const { code, stderr, received } = await runOn((command) => emptyStage(command) ?? {}, script);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/Stack Roomscribe-(dev|prod) has no (output|resource|function|log) /);
      expect(received.filter((command) => /^(?!describe-stacks|list-stack-resources).* ( |$)/.test(command))).toEqual(
        [],
      );
    },
  );

  test('use a value of the stage only if it is there', () => {
    const assigned = [...script.matchAll(/\b([A-Z_]+)=\$\((?:output|resource|lambda|log_group|aws)\b/g)];
    const unchecked = assigned.flatMap(([, name]) => script.match(new RegExp(`\\$(\\{${name}\\}|${name}\\b)`)) ?? []);
    expect(unchecked).toEqual([]);
  });
});

test.each(pages)('every loop of %s has a limit', (page) => {
  const loops = blocksOf(page, 'sh').flatMap((block) => block.match(/^.*\b(while|until)\b.*$/gm) ?? []);
  expect(loops.filter((line) => !/\bwhile (IFS=\S+ )?read -r\b|^ *#/.test(line))).toEqual([]);
});

describe('tools/operations/stage.sh', () => {
  const head = '. tools/operations/stage.sh prod\n';
  test.each([
    ['', '. tools/operations/stage.sh', 'No stage given.'],
    ['', `${head}. tools/operations/stage.sh`, 'No stage given.'],
    ['a missing output', `${head}aws s3 ls "s3://$(output Nothing)"`, 'Stack Roomscribe-prod has no output Nothing'],
    ['no output name', `${head}aws s3 ls "s3://$(output)"`, 'Stack Roomscribe-prod has no output'],
    ['a missing function', `${head}NAME=$(lambda nothing)`, 'Stack Roomscribe-prod has no function nothing.'],
    ['a missing log', `${head}log_lines nothing 1 x`, 'Stack Roomscribe-prod has no log of a function nothing.'],
    ['too few arguments', `${head}log_lines start-transcription`, 'Usage: log_lines FUNCTION HOURS PATTERN'],
    [
      'a missing resource, in a pipeline',
      `${head}resource AWS::EC2::Instance | while read -r ID; do aws s3 ls "s3://$ID"; done`,
      'Stack Roomscribe-prod has no resource of type AWS::EC2::Instance.',
    ],
    [
      'a missing resource, in a command within a command',
      `${head}NAME=$(aws s3 ls "s3://$(resource AWS::EC2::Instance)")`,
      'Stack Roomscribe-prod has no resource of type AWS::EC2::Instance.',
    ],
    [
      'a missing resource, in a loop',
      `${head}for ID in $(resource AWS::IAM::Role Nothing); do aws s3 ls "s3://$ID"; done`,
      'Stack Roomscribe-prod has no resource of type AWS::IAM::Role whose name starts with Nothing.',
    ],
  ])('ends the script for %s: %s', async (_what, script, problem) => {
    const { code, stdout, stderr, received } = await runOn(stack, `${script}\necho reached`);
    expect(stderr).toContain(problem);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(received.filter((command) => !/^(describe-stacks|list-stack-resources)/.test(command))).toEqual([]);
  });
});

describe('the simulated commands', () => {
  const outcomeOf = (script: string) => runScript(script, programs());

  test.each([
    'aws dynamodb describe-tables --table-name rooms',
    'aws dynamodb describe-table',
    'aws dynamodb describe-table --table rooms',
    'aws dynamodb describe-table --table-name rooms --query Table.Status',
    'aws dynamodb put-item --table-name rooms --item \'{"id":{"X":"1"}}\'',
    'aws dynamodb wait table-gone --table-name rooms',
    'aws iam put-role-policy --role-name a --policy-name b --policy-document "{\\"Version\\": }"',
    'aws s3 copy a b',
    'aws quicksight list-users',
    'npm run redrive',
    'npm run dlq -- list --stagee prod',
    'npm run dlq -- look --stage prod',
    'npx cdk deploy --without-asking',
    'npx cdk diff --require-approval never',
    'npx cdk undeploy',
    'roomscribe room',
    'roomscribe rooms --lmit 3',
    'roomscribe sessions',
    'roomscribe transcriptions list --state redy',
  ])('reject: %s', async (script) => {
    expect((await outcomeOf(script)).failures).toHaveLength(1);
  });

  test('report a variable that is not set', async () => {
    expect(await outcomeOf('echo "$NOT_SET"')).toMatchObject({ code: 127, stderr: expect.stringMatching(/unbound/) });
  });

  test('print the output of the AWS CLI', async () => {
    const script = `. tools/operations/stage.sh prod
      output ApiUrl; log_group delete-transcription; lambda delete-transcriptions; resource AWS::IAM::Role TranscriptLink`;
    expect((await outcomeOf(script)).stdout.split('\n')).toEqual([
      'value-of-ApiUrl',
      expect.stringMatching(/^Roomscribe-ApiTranscriptions-deletetranscriptionLogs/),
      expect.stringMatching(/^Roomscribe-Workers-deletetranscriptionsWorkerFunction/),
      expect.stringMatching(/^Roomscribe-ApiTranscriptions-TranscriptLinkRole/),
      '',
    ]);
  });
});
