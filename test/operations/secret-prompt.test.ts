import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { startTerminal } from '../support/client/pseudo-terminal.ts';
import { dynamodb, endpoints, organization, secretsManager } from '../support/machine.ts';
import { secretPrefix } from '../support/webhooks/connections.ts';

// The real program: at a terminal, and in a pipe.

const dataDir = await mkdtemp(path.join(inject('machine').temporaryFolder, 'prompt-'));
await writeFile(path.join(dataDir, 'endpoints.json'), JSON.stringify(endpoints));
const program = [process.execPath, path.resolve('operations/organization/organization.ts')] as const;
const env = { PATH: process.env.PATH, HOME: dataDir, AWS_REGION: 'eu-west-1' };
const limitMs = 30_000; // the program loads the SDK

function atTerminal(...args: readonly string[]) {
  const terminal = startTerminal([...program, ...args, '--data-dir', dataDir], { env, columns: 200 });
  onTestFinished(() => terminal.close());
  return terminal;
}

/** Runs the program in a pipe. */
function inPipe(stdin: string, ...args: readonly string[]) {
  const [node, main] = program;
  return new Promise<{ readonly code: number; readonly text: string }>((resolve) => {
    const child = execFile(node, [main, ...args, '--data-dir', dataDir], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    );
    child.stdin?.end(stdin);
  });
}

const connections = connectionRepository(DynamoDBDocumentClient.from(dynamodb), String(endpoints.tables.connections));
const platformsOf = async (name: string) =>
  (await connections.listOf(OrganizationId.parse(name))).map(({ platform }) => platform);
const idIn = (text: string): string => /id of the connection is (\S{43})\./.exec(text)?.[1] ?? '';
async function valuesOf(id: string): Promise<string[]> {
  try {
    const { SecretString = '' } = await secretsManager.send(
      new GetSecretValueCommand({ SecretId: `${secretPrefix}${id}` }),
    );
    return JSON.parse(SecretString).secrets.map(({ value }: { value: string }) => value);
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return [];
    throw error;
  }
}

test('at a terminal, the secret is asked for, checked, and never shown', async () => {
  const acme = organization();
  const terminal = atTerminal('connect', acme, 'jaas');
  await terminal.until(/Secret of JaaS, or Enter to give it later:/, limitMs);
  const id = idIn(await terminal.screen());
  terminal.type('wrong-secret');
  terminal.press('enter');
  await terminal.until(/The secret must begin with whsec_, and have at least 8 characters after it\./);
  terminal.press('ctrl-u');
  terminal.type('whsec_0123456789abcdef');
  terminal.press('enter');
  await terminal.until(/The connection accepts webhooks from now on\./);
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.raw()).not.toMatch(/wrong-secret|0123456789abcdef/);
  expect(await valuesOf(id)).toEqual(['whsec_0123456789abcdef']);
});

test('Enter gives the secret later, by the command that is printed', async () => {
  const acme = organization();
  const terminal = atTerminal('connect', acme, 'whereby');
  await terminal.until(/Secret of Whereby/, limitMs);
  terminal.press('enter');
  const [, printed = ''] = await terminal.until(
    /run this command, which asks for it:\s+npm run organization -- (.+)$/m,
  );
  expect(await terminal.exitCode).toBe(0);
  const added = await inPipe(
    'a-secret-of-whereby\n',
    ...printed.replace(/ --data-dir.*/, '').split(' '),
    '--secret-stdin',
  );
  expect([added.code, added.text]).toEqual([0, expect.stringContaining('has its first secret')]);
  expect(added.text).not.toContain('a-secret-of-whereby');
  expect(await valuesOf(idIn(await terminal.screen()))).toEqual(['a-secret-of-whereby']);
});

test('Ctrl-C says what exists and what to do, without a stack', async () => {
  const acme = organization();
  const terminal = atTerminal('connect', acme, 'whereby');
  await terminal.until(/Secret of Whereby/, limitMs);
  terminal.press('ctrl-c');
  await terminal.until(
    /Cancelled: no secret was given\.\s+The connection has no secret yet, so it refuses every webhook\./,
  );
  expect(await terminal.exitCode).toBe(1);
  expect(await terminal.screen()).not.toMatch(/ExitPrompt|User force|at .*\.[tj]s:/);

  const early = atTerminal('connect', acme, 'livekit', '--key-id', 'API1');
  await early.until(/Secret of the API key API1:/, limitMs);
  early.press('ctrl-c');
  await early.until(/Cancelled: no secret was given\.$/);
  expect(await early.exitCode).toBe(1);
  expect(await platformsOf(acme)).toEqual(['whereby']);
});

test('in a pipe, nobody is asked: the connection is made without a secret, and the printed command gives it one', async () => {
  const acme = organization();
  const { code, text } = await inPipe('', 'connect', acme, 'livekit', '--key-id', 'API1');
  expect(code).toBe(0);
  const [, printed = ''] = /which asks for it:\s+npm run organization -- (.+)$/m.exec(text) ?? [];
  expect(printed).toContain('--key-id API1');
  const args = printed.replace(/ --data-dir.*/, '').split(' ');
  expect((await inPipe('secret-of-livekit', ...args, '--secret-stdin')).text).toContain('has its first secret');
  expect(await valuesOf(idIn(text))).toEqual(['secret-of-livekit']);
});

test('a wrong secret on standard input is refused before anything is made', async () => {
  const acme = organization();
  expect(await inPipe('no-prefix', 'connect', acme, 'jaas', '--secret-stdin')).toEqual({
    code: 1,
    text: 'The secret on standard input must begin with whsec_, and have at least 8 characters after it.\n',
  });
  expect(await platformsOf(acme)).toEqual([]);
});
