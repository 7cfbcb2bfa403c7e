import { execFile } from 'node:child_process';
import { text as bodyOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { LimitExceededException } from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization.ts';
import { runOrganization } from '#tools/operations/organization/run.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { fakeCloudFormation, fakeCognito, fakePool } from '../../support/fake-cognito.ts';
import { serveInTest } from '../../support/test-server.ts';

const outputs = {
  ApiUrl: 'https://api.example.com',
  UserPoolId: fakePool.id,
  TokenUrl: 'https://tokens.example.com/oauth2/token',
  TokenScope: fakePool.scope,
};
let fake: ReturnType<typeof fakeCognito>;
let cloudFormation: ReturnType<typeof fakeCloudFormation>;
beforeEach(() => {
  fake = fakeCognito();
  cloudFormation = fakeCloudFormation('Roomscribe-prod', outputs);
});

const noErasing = {
  openStores: () => {
    throw new Error('Nothing is to be erased.');
  },
  terminal: { show: () => {}, end: () => {}, say: () => {} },
};
const run = (...args: string[]) => runOrganization(args, { cloudFormation, cognito: fake.cognito, ...noErasing });
const onProd = (...args: string[]) => run(...args, '--stage', 'prod');
const printed = (text: string) => ({
  id: /organization id {2}(\S+)/.exec(text)?.[1] ?? '',
  secret: /client secret {4}(\S+)/.exec(text)?.[1] ?? '',
});

/** A problem is shown without its stack; everything else would be a defect. */
async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('There was no problem.'),
    (thrown) => thrown,
  );
  if (!(error instanceof UserError)) throw error;
  return error.message;
}

describe('create', () => {
  test('makes a client that can have tokens of the API by its secret, and nothing else', async () => {
    const { id, secret } = printed(await onProd('create', 'acme'));
    expect(fake.areGood(id, secret)).toBe(true);
    expect(OrganizationId.safeParse(id).success).toBe(true);
    expect(fake.clients[0]?.input).toEqual({
      UserPoolId: fakePool.id,
      ClientName: 'acme',
      GenerateSecret: true,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: [fakePool.scope],
      ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
      AccessTokenValidity: 60,
      TokenValidityUnits: { AccessToken: 'minutes' },
    });
  });

  test('prints a line of curl that gets a token and calls the API with it', async () => {
    const seen: string[] = [];
    const url = await serveInTest(async (request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization} ${await bodyOf(request)}`.trim());
      const isIssuer = request.url === '/oauth2/token';
      response.end(isIssuer ? '{"access_token":"e-y.J_1","expires_in":3600}' : '{"results":[]}');
    });
    cloudFormation = fakeCloudFormation('Roomscribe-prod', {
      ...outputs,
      ApiUrl: url,
      TokenUrl: `${url}/oauth2/token`,
    });

    const text = await onProd('create', 'acme');
    const { stdout } = await promisify(execFile)('sh', ['-c', text.split('\n').at(-1) ?? '']);
    const { id, secret } = printed(text);
    expect(stdout).toBe('{"results":[]}');
    expect(seen).toEqual([
      `POST /oauth2/token Basic ${Buffer.from(`${id}:${secret}`).toString('base64')} grant_type=client_credentials`,
      'GET /v1/transcriptions Bearer e-y.J_1',
    ]);
  });

  test('prints how the command line logs in, without the secret', async () => {
    const text = await onProd('create', 'acme');
    const { id, secret } = printed(text);
    const address = '--api-url https://api.example.com --token-url https://tokens.example.com/oauth2/token';
    expect(text).toContain(`\n  roomscribe login --profile prod ${address} --client-id ${id}\n`);
    expect(/roomscribe login .*/.exec(text)?.[0]).not.toContain(secret);
  });

  test('changes nothing where there is one of the name already, on whichever page', async () => {
    for (let index = 0; index < 130; index += 1) await onProd('create', `org-${index}`);
    const before = fake.clients.length;
    expect(await problemOf(onProd('create', 'org-129'))).toMatch(/already, .*nothing was changed.*rotate org-129/);
    expect(fake.clients.length).toBe(before);
  });

  test('after a crash that lost the answer: says that it is there, and rotate gives it a secret', async () => {
    fake.fault.next = { name: 'CreateUserPoolClientCommand', error: new Error('socket hang up'), isDone: true };
    await expect(onProd('create', 'acme')).rejects.toThrow('socket hang up');
    expect(await problemOf(onProd('create', 'acme'))).toContain('rotate acme --stage prod');
    const { id, secret } = printed(await onProd('rotate', 'acme'));
    expect(fake.areGood(id, secret)).toBe(true);
    expect(fake.clients).toHaveLength(1);
  });

  test('says what to ask for when the pool is full', async () => {
    const error = new LimitExceededException({ message: 'Maximum number of clients', $metadata: {} });
    fake.fault.next = { name: 'CreateUserPoolClientCommand', error, isDone: false };
    expect(await problemOf(onProd('create', 'acme'))).toContain('quota of app clients');
  });
});

describe('list', () => {
  test('says that there are none', async () => {
    expect(await onProd('list')).toBe('There are no organizations in prod yet.');
  });

  test('shows all of many, by name, and no secret', async () => {
    const ids = new Map<string, string>();
    for (let index = 0; index < 130; index += 1) {
      ids.set(`org-${index}`, printed(await onProd('create', `org-${index}`)).id);
    }
    const text = await onProd('list');
    expect(text.split('\n').map((line) => line.split(/ +/))).toEqual([...ids].sort(([a], [b]) => a.localeCompare(b)));
    expect(text).not.toContain('secret');
  });
});

describe('rotate', () => {
  test('gives a second secret and keeps the organization; the first is good until it is dropped', async () => {
    const first = printed(await onProd('create', 'acme'));
    const second = printed(await onProd('rotate', 'acme'));
    expect(second.id).toBe(first.id);
    expect([fake.areGood(first.id, first.secret), fake.areGood(first.id, second.secret)]).toEqual([true, true]);
    await onProd('rotate', 'acme', '--drop', 'old');
    expect([fake.areGood(first.id, first.secret), fake.areGood(first.id, second.secret)]).toEqual([false, true]);
    const third = printed(await onProd('rotate', first.id)); // by its id
    expect(third.id).toBe(first.id);
  });

  test('after a crash that lost the new secret: it is dropped, and another one made', async () => {
    const { id, secret } = printed(await onProd('create', 'acme'));
    fake.fault.next = { name: 'AddUserPoolClientSecretCommand', error: new Error('socket hang up'), isDone: true };
    await expect(onProd('rotate', 'acme')).rejects.toThrow('socket hang up');
    expect(await problemOf(onProd('rotate', 'acme'))).toContain('--drop new   if the new one is lost');
    await onProd('rotate', 'acme', '--drop', 'new');
    expect(fake.areGood(id, secret)).toBe(true);
    expect(fake.areGood(id, printed(await onProd('rotate', 'acme')).secret)).toBe(true);
  });

  test('never drops the only secret', async () => {
    const { id, secret } = printed(await onProd('create', 'acme'));
    for (const age of ['old', 'new'])
      expect(await problemOf(onProd('rotate', 'acme', '--drop', age))).toContain('only one secret');
    expect(fake.areGood(id, secret)).toBe(true);
  });
});

describe('delete', () => {
  test('takes the client away and says under which id the data stay', async () => {
    const { id } = printed(await onProd('create', 'acme'));
    await onProd('create', 'other');
    expect(await problemOf(onProd('delete', 'acme'))).toContain('Add --yes');
    expect(fake.clients).toHaveLength(2);
    expect(await onProd('delete', 'acme', '--yes')).toContain(id);
    expect(fake.clients.map(({ name }) => name)).toEqual(['other']);
    expect(await problemOf(onProd('delete', 'acme', '--yes'))).toContain('There is no organization acme in prod');
  });

  test('is content when somebody else was first', async () => {
    await onProd('create', 'acme');
    const { ResourceNotFoundException } = await import('@aws-sdk/client-cognito-identity-provider');
    const error = new ResourceNotFoundException({ message: 'gone', $metadata: {} });
    fake.fault.next = { name: 'DeleteUserPoolClientCommand', error, isDone: true };
    expect(await onProd('delete', 'acme', '--yes')).toContain('Deleted acme');
  });
});

test('one created again under its name is another organization', async () => {
  const first = printed(await onProd('create', 'acme'));
  await onProd('delete', 'acme', '--yes');
  expect(printed(await onProd('create', 'acme')).id).not.toBe(first.id);
});

describe('what is wrong is said', () => {
  test.each([
    ['rotate', 'nobody'],
    ['rotate', 'nobody', '--drop', 'old'],
    ['delete', 'nobody', '--yes'],
  ])('of an unknown organization: %s', async (...args) => {
    await onProd('create', 'acme');
    expect(await problemOf(onProd(...args))).toContain('There is no organization nobody in prod');
  });

  test('of a name that two clients have: both ids, and either can be named', async () => {
    const { id } = printed(await onProd('create', 'acme'));
    const other = printed(await onProd('create', 'other'));
    fake.clients.splice(1, 1, { ...fake.clients[1], id: other.id, name: 'acme' } as (typeof fake.clients)[number]);
    expect(await problemOf(onProd('delete', 'acme', '--yes'))).toContain(`${id} and ${other.id}`);
    await onProd('delete', other.id, '--yes');
    expect(fake.clients.map((client) => client.id)).toEqual([id]);
  });

  test('of a stage that is not deployed, or not in this region', async () => {
    const problem = await problemOf(run('list', '--stage', 'dev'));
    expect(problem).toMatch(/no stack Roomscribe-dev in eu-west-1: .*-c stage=dev.*AWS_REGION/);
  });

  test('of a stage that has an issuer of its own', async () => {
    cloudFormation = fakeCloudFormation('Roomscribe-prod', { ApiUrl: outputs.ApiUrl });
    expect(await problemOf(onProd('create', 'acme'))).toContain('issuer of its own');
  });

  test.each([
    ['CredentialsProviderError', 'Could not load credentials from any providers', 'There are no AWS credentials here'],
    ['ExpiredTokenException', 'The security token is expired', 'have expired'],
    ['InvalidClientTokenId', 'The security token is invalid', 'AWS does not know the credentials here'],
    ['AccessDenied', 'not authorized to perform: cloudformation:DescribeStacks', 'cloudformation:DescribeStacks'],
    ['Error', 'Region is missing', 'Set AWS_REGION'],
  ])('of credentials and region: %s', async (name, message, said) => {
    const error = Object.assign(new Error(message), { name });
    fake.fault.next = { name: 'ListUserPoolClientsCommand', error, isDone: false };
    expect(await problemOf(onProd('list'))).toContain(said);
    const failing = { ...cloudFormation, send: () => Promise.reject(error) } as unknown as typeof cloudFormation;
    const aws = { cloudFormation: failing, cognito: fake.cognito, ...noErasing };
    const work = runOrganization(['list', '--stage', 'prod'], aws);
    expect(await problemOf(work)).toContain(said);
  });

  test('of a defect, as it is', async () => {
    fake.fault.next = { name: 'ListUserPoolClientsCommand', error: new TypeError('a defect'), isDone: false };
    await expect(onProd('list')).rejects.toThrow(TypeError);
  });

  test.each([
    [['create', 'acme'], 'Which stage? Use --stage dev or --stage prod.'],
    [['create', 'acme', '--stage', 'staging'], 'There is no stage "staging". Use --stage dev or --stage prod.'],
    [['create', 'acme', '--stage', 'toString'], 'There is no stage "toString"'],
    [['create', '--stage', 'prod'], 'Which organization?'],
    [['create', 'a/b', '--stage', 'prod'], 'must be 1 to 64 letters'],
    [['create', '', '--stage', 'prod'], 'must be 1 to 64 letters'],
    [['create', 'acme', 'other', '--stage', 'prod'], 'What is other?'],
    [['list', 'acme', '--stage', 'prod'], 'There is no command list acme'],
    [['--stage', 'prod'], 'Which command?'],
    [['toString', 'acme', '--stage', 'prod'], 'There is no command toString'],
    [['create', 'acme', '--drop', 'old', '--stage', 'prod'], '--drop belongs to rotate'],
    [['rotate', 'acme', '--drop', 'both', '--stage', 'prod'], '--drop takes old or new'],
    [['rotate', 'acme', '--yes', '--stage', 'prod'], '--yes belongs to delete and erase'],
    [['erase', '--stage', 'prod'], 'Which organization?'],
    [['erase', 'acme'], 'Which stage?'],
    [['erase', 'acme', '--stage', 'prod', '--data-dir', '.local'], 'Either --stage or --data-dir'],
    [['delete', 'acme', '--data-dir', '.local', '--yes'], '--data-dir belongs to erase'],
    [['create', 'acme', '--force', '--stage', 'prod'], "Unknown option '--force'"],
  ])('of the command line %j, before AWS is asked', async (args, said) => {
    expect(await problemOf(run(...args))).toContain(said);
    expect(fake.calls).toEqual([]);
  });
});

test('--help shows how it is used', async () => {
  expect(await run('--help')).toContain('npm run organization -- <command> --stage <dev|prod>');
});
