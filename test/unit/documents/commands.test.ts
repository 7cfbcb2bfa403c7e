import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runOrganization } from '#operations/organization/run.ts';
import { awsCli, stackAnswers } from '../../support/aws-cli/fake-cli.ts';
import { begin } from '../../support/client/offline-command-line.ts';
import { type Program, runScript } from '../../support/client/shell.ts';
import { blocksOf, documents } from '../../support/docs/documents.ts';
import { stackOf } from '../../support/infra/templates.ts';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { scripts } = read('package.json');
const cdk = read('node_modules/aws-cdk/lib/cli/cli-type-registry.json');

/** The help of a script of the project. Most of it is that of its program, and `organization` has one for each command. */
async function helpOf(script: string, words: readonly string[]): Promise<string> {
  if (script === 'organization')
    return String(await runOrganization([...words, '--help'], {} as never).catch((help: Error) => help.message));
  const program = scripts[script].replace(/.*node /, '');
  return execFileSync(process.execPath, [program, ...words, '--help'], { encoding: 'utf8' });
}

const npm: Program = async ({ args: [verb = '', script = '', ...rest] }) => {
  const options = rest.filter((arg) => arg.startsWith('--') && arg !== '--');
  const words = rest.slice(1, options[0] === undefined ? undefined : rest.indexOf(options[0]));
  if (verb === 'run') expect(scripts).toHaveProperty([script]);
  else expect(['ci', 'start', 'test', 'init', 'install', 'pack', 'pkg']).toContain(verb);
  const help = verb === 'run' && rest.length > 0 ? await helpOf(script, words) : undefined;
  if (help !== undefined) for (const word of [...words.slice(0, 1), ...options]) expect(help, script).toContain(word);
  return '';
};
const npx: Program = async ({ args: [program, command = '', ...rest] }) => {
  if (program === 'node') return rest.includes('process.execPath') ? process.execPath : 'printed';
  const known = Object.entries<{ alias?: string }>({ ...cdk.globalOptions, ...cdk.commands[command].options });
  const names = known.flatMap(([name, { alias }]) => [`--${name}`, `-${alias}`]);
  expect(names).toEqual(expect.arrayContaining(rest.filter((arg) => arg.startsWith('-'))));
  return '';
};
const roomscribe: Program = async ({ args }) => {
  const env = { ROOMSCRIBE_API_URL: 'http://127.0.0.1:9', ROOMSCRIBE_TOKEN: 'a-token' }; // fetch never calls port 9
  expect((await begin(args, { env }).ended).stderr).not.toMatch(/unknown (command|option)/i);
  return '9226ec25-8833-431d-82bc-05dbfd0728fb\n';
};
const curl: Program = async () =>
  'location: /v1/transcriptions/1\n{"access_token":"a","state":"ready","accessLink":"b","totalUniqueParticipants":2}\n';
const { resources, outputs } = stackOf('prod');
const stack = stackAnswers(Object.fromEntries(Object.keys(outputs).map((name) => [name, name])), resources);
const queue = { Attributes: { QueueArn: 'arn' } };
const aws = awsCli((command) => (command.operation === 'get-queue-attributes' ? queue : stack(command)));
const programs = { npm, npx, curl, roomscribe, aws, sleep: async () => '', git: async () => '' };

const pages = documents.filter((page) => blocksOf(page, 'sh').length > 0 && !page.startsWith('tools/local/sample/'));
test.each(pages)('commands and options on %s exist', { timeout: 60_000 }, async (page) => {
  const names = ['CLIENT_ID', 'CLIENT_SECRET', 'TOKEN_URL', 'VERSION', 'API', 'TOKEN'];
  const environment = Object.fromEntries(names.map((name) => [name, 'https://set.example']));
  const files = { '../roomscribe-tutorial/tutorial.ts': '' };
  const outcome = await runScript(blocksOf(page, 'sh').join('\n'), programs, { environment, files });
  expect(outcome).toMatchObject({ failures: [], stderr: '', code: 0 });
});
