import { execFile } from 'node:child_process';
import { text as bodyOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { LimitExceededException } from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, test } from 'vitest';
import { runOrganization } from '#operations/organization/run.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { serveInTest } from '../../support/http/test-server.ts';
import { fakeCloudFormation, fakeCognito, fakePool } from '../../support/operations/fake-cognito.ts';
import { emptyStores, poolOutputs, stageOutputs } from '../../support/operations/stage-outputs.ts';

const outputs = { ...stageOutputs, ...poolOutputs };
let fake: ReturnType<typeof fakeCognito>;
let cloudFormation: ReturnType<typeof fakeCloudFormation>;
beforeEach(() => {
  fake = fakeCognito();
  cloudFormation = fakeCloudFormation('Roomscribe-prod', outputs);
});

const withoutData = {
  openStores: emptyStores,
  terminal: { show: () => {}, end: () => {}, print: () => {} },
  askSecret: async () => undefined,
};
const run = (...args: string[]) => runOrganization(args, { cloudFormation, cognito: fake.cognito, ...withoutData });
const onProd = (...args: string[]) => run(...args, '--stage', 'prod');
const credentialsIn = (text: string) => ({
  id: /organization id {2}(\S+)/.exec(text)?.[1] ?? '',
  secret: /client secret {4}(\S+)/.exec(text)?.[1] ?? '',
});

/** Returns the message of the `UserError` that the work throws. Any other outcome fails the test. */
async function userErrorOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('The command succeeded.'),
    (thrown) => thrown,
  );
  if (!(error instanceof UserError)) throw error;
  return error.message;
}

describe('create', () => {
  test('creates a client that can only get tokens of the API with its secret', async () => {
    const { id, secret } = credentialsIn(await onProd('create', 'acme'));
    expect(fake.areValid(id, secret)).toBe(true);
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

  test('prints a curl command that gets a token and calls the API with it', async () => {
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
    const { id, secret } = credentialsIn(text);
    expect(stdout).toBe('{"results":[]}');
    expect(seen).toEqual([
      `POST /oauth2/token Basic ${Buffer.from(`${id}:${secret}`).toString('base64')} grant_type=client_credentials`,
      'GET /v1/transcriptions Bearer e-y.J_1',
    ]);
  });

  test('prints a login command that does not contain the secret', async () => {
    const text = await onProd('create', 'acme');
    const { id, secret } = credentialsIn(text);
    const address = '--api-url https://api.example.com --token-url https://tokens.example.com/oauth2/token';
    expect(text).toContain(`\n  roomscribe login --profile prod ${address} --client-id ${id}\n`);
    expect(/roomscribe login .*/.exec(text)?.[0]).not.toContain(secret);
  });

  test('rejects a name that already exists, even on a later page of the list, and changes nothing', async () => {
    for (let index = 0; index < 130; index += 1) await onProd('create', `org-${index}`);
    const before = fake.clients.length;
    expect(await userErrorOf(onProd('create', 'org-129'))).toMatch(
      /already exists.*Nothing was changed.*rotate org-129/,
    );
    expect(fake.clients.length).toBe(before);
  });

  test('reports the existing organization after a lost response, and rotate then adds a secret', async () => {
    fake.fault.next = { name: 'CreateUserPoolClientCommand', error: new Error('socket hang up'), isDone: true };
    expect(await userErrorOf(onProd('create', 'acme'))).toContain('socket hang up');
    expect(await userErrorOf(onProd('create', 'acme'))).toContain('rotate acme --stage prod');
    const { id, secret } = credentialsIn(await onProd('rotate', 'acme'));
    expect(fake.areValid(id, secret)).toBe(true);
    expect(fake.clients).toHaveLength(1);
  });

  test('names the quota to increase when the user pool is full', async () => {
    const error = new LimitExceededException({ message: 'Maximum number of clients', $metadata: {} });
    fake.fault.next = { name: 'CreateUserPoolClientCommand', error, isDone: false };
    expect(await userErrorOf(onProd('create', 'acme'))).toContain('quota of app clients');
  });
});

describe('list', () => {
  test('says that there are no organizations', async () => {
    expect(await onProd('list')).toBe('There are no organizations in prod yet.');
  });

  test('shows all pages of organizations, sorted by name, without secrets', async () => {
    const ids = new Map<string, string>();
    for (let index = 0; index < 130; index += 1) {
      ids.set(`org-${index}`, credentialsIn(await onProd('create', `org-${index}`)).id);
    }
    const text = await onProd('list');
    expect(text.split('\n').map((line) => line.split(/ +/))).toEqual([...ids].sort(([a], [b]) => a.localeCompare(b)));
    expect(text).not.toContain('secret');
  });
});

describe('rotate', () => {
  test('adds a second secret to the same organization, and the first stays valid until it is dropped', async () => {
    const first = credentialsIn(await onProd('create', 'acme'));
    const second = credentialsIn(await onProd('rotate', 'acme'));
    expect(second.id).toBe(first.id);
    expect([fake.areValid(first.id, first.secret), fake.areValid(first.id, second.secret)]).toEqual([true, true]);
    await onProd('rotate', 'acme', '--drop', 'old');
    expect([fake.areValid(first.id, first.secret), fake.areValid(first.id, second.secret)]).toEqual([false, true]);
    const third = credentialsIn(await onProd('rotate', first.id)); // by its id
    expect(third.id).toBe(first.id);
  });

  test('replaces a new secret that was lost with the response', async () => {
    const { id, secret } = credentialsIn(await onProd('create', 'acme'));
    fake.fault.next = { name: 'AddUserPoolClientSecretCommand', error: new Error('socket hang up'), isDone: true };
    expect(await userErrorOf(onProd('rotate', 'acme'))).toContain('socket hang up');
    expect(await userErrorOf(onProd('rotate', 'acme'))).toContain('--drop new   if the new secret is lost');
    await onProd('rotate', 'acme', '--drop', 'new');
    expect(fake.areValid(id, secret)).toBe(true);
    expect(fake.areValid(id, credentialsIn(await onProd('rotate', 'acme')).secret)).toBe(true);
  });

  test('does not drop the only secret', async () => {
    const { id, secret } = credentialsIn(await onProd('create', 'acme'));
    for (const age of ['old', 'new'])
      expect(await userErrorOf(onProd('rotate', 'acme', '--drop', age))).toContain('only one secret');
    expect(fake.areValid(id, secret)).toBe(true);
  });
});

describe('delete', () => {
  test('deletes the client after confirmation, and prints the id that its data is kept under', async () => {
    const { id } = credentialsIn(await onProd('create', 'acme'));
    await onProd('create', 'other');
    expect(await userErrorOf(onProd('delete', 'acme'))).toContain('add --yes');
    expect(fake.clients).toHaveLength(2);
    expect(await onProd('delete', 'acme', '--yes')).toContain(id);
    expect(fake.clients.map(({ name }) => name)).toEqual(['other']);
    expect(await userErrorOf(onProd('delete', 'acme', '--yes'))).toContain('There is no organization acme in prod');
  });

  test('succeeds if another operator deleted the client first', async () => {
    await onProd('create', 'acme');
    const { ResourceNotFoundException } = await import('@aws-sdk/client-cognito-identity-provider');
    const error = new ResourceNotFoundException({ message: 'gone', $metadata: {} });
    fake.fault.next = { name: 'DeleteUserPoolClientCommand', error, isDone: true };
    expect(await onProd('delete', 'acme', '--yes')).toContain('Deleted acme');
  });
});

describe('the name of a deleted organization', () => {
  test('is still listed with its id and the day of its deletion, after those that exist', async () => {
    const { id } = credentialsIn(await onProd('create', 'acme'));
    await onProd('create', 'other');
    await onProd('delete', 'acme', '--yes');
    const again = credentialsIn(await onProd('create', 'acme'));
    expect((await onProd('list')).split('\n')).toEqual([
      `acme   ${again.id}`,
      expect.stringMatching(/^other {2}\w+$/),
      `acme   ${id}  deleted on 2027-01-15`,
    ]);
  });

  test('is recorded before the deletion, and a deletion that died in between can be repeated', async () => {
    const { id } = credentialsIn(await onProd('create', 'acme'));
    fake.fault.next = { name: 'DeleteUserPoolClientCommand', error: new Error('socket hang up'), isDone: false };
    expect(await userErrorOf(onProd('delete', 'acme', '--yes'))).toContain('socket hang up');
    expect(await onProd('list')).toBe(`acme  ${id}`);
    expect(await onProd('delete', 'acme', '--yes')).toContain('Deleted acme');
    expect(await onProd('list')).toContain(`acme  ${id}  deleted on `);
  });

  test('is found on every page of the list', async () => {
    for (let index = 0; index < 61; index += 1) {
      await onProd('create', `org-${index}`);
      await onProd('delete', `org-${index}`, '--yes');
    }
    expect((await onProd('list')).match(/deleted on/g)).toHaveLength(61);
  });
});

test('create gives a new id to an organization that is created again with the same name', async () => {
  const first = credentialsIn(await onProd('create', 'acme'));
  await onProd('delete', 'acme', '--yes');
  expect(credentialsIn(await onProd('create', 'acme')).id).not.toBe(first.id);
});

describe('npm run organization', () => {
  test.each([
    ['rotate', 'nobody'],
    ['rotate', 'nobody', '--drop', 'old'],
    ['delete', 'nobody', '--yes'],
  ])('%s rejects an unknown organization', async (...args) => {
    await onProd('create', 'acme');
    expect(await userErrorOf(onProd(...args))).toContain('There is no organization nobody in prod');
  });

  test('rejects a name that two clients have, lists their ids, and accepts either id', async () => {
    const { id } = credentialsIn(await onProd('create', 'acme'));
    const other = credentialsIn(await onProd('create', 'other'));
    fake.clients.splice(1, 1, { ...fake.clients[1], id: other.id, name: 'acme' } as (typeof fake.clients)[number]);
    expect(await userErrorOf(onProd('delete', 'acme', '--yes'))).toContain([id, other.id].toSorted().join(' and '));
    await onProd('delete', other.id, '--yes');
    expect(fake.clients.map((client) => client.id)).toEqual([id]);
  });

  test('rejects a stage that is not deployed in this region', async () => {
    const problem = await userErrorOf(run('list', '--stage', 'dev'));
    expect(problem).toMatch(/no stack Roomscribe-dev in eu-west-1\. .*-c stage=dev.*AWS_REGION/);
  });

  test('rejects a stage that has its own token issuer', async () => {
    cloudFormation = fakeCloudFormation('Roomscribe-prod', { ApiUrl: outputs.ApiUrl });
    expect(await userErrorOf(onProd('create', 'acme'))).toContain('its own token issuer');
  });

  test.each([
    ['CredentialsProviderError', 'Could not load credentials from any providers', 'No AWS credentials found'],
    ['ExpiredTokenException', 'The security token is expired', 'have expired'],
    ['InvalidClientTokenId', 'The security token is invalid', 'AWS does not recognize the credentials'],
    ['CredentialsProviderError', 'The SSO session associated with this profile has expired.', 'have expired'],
    ['AccessDenied', 'not authorized to perform: cloudformation:DescribeStacks', 'cloudformation:DescribeStacks'],
    ['NotAuthorizedException', 'Access denied', 'do not allow this operation'],
    ['SignatureDoesNotMatch', 'The request signature does not match', 'Check the secret access key'],
    ['TooManyRequestsException', 'Too many requests', 'Wait a minute'],
    ['Throttling', 'Rate exceeded', 'Wait a minute'],
    ['TimeoutError', 'connect ETIMEDOUT', 'No connection'],
    ['InternalErrorException', 'Something went wrong', 'Run the command again'],
    ['Error', 'Region is missing', 'Set AWS_REGION'],
    ['Error', 'Region not accepted: region="eu_west" is not a valid hostname component.', 'not the name of a region'],
  ])('says what to do about an error of AWS: %s %s', async (name, message, advice) => {
    const error = Object.assign(new Error(message), { name });
    fake.fault.next = { name: 'ListUserPoolClientsCommand', error, isDone: false };
    expect(await userErrorOf(onProd('list'))).toContain(advice);
    const failing = { ...cloudFormation, send: () => Promise.reject(error) } as unknown as typeof cloudFormation;
    const dependencies = { cloudFormation: failing, cognito: fake.cognito, ...withoutData };
    const work = runOrganization(['list', '--stage', 'prod'], dependencies);
    expect(await userErrorOf(work)).toContain(advice);
  });

  test.each(['ENOTFOUND', 'ECONNREFUSED', 'EAI_AGAIN'])('says that there is no connection for %s', async (code) => {
    const error = new AggregateError([], ''); // as Node throws it if a host has several addresses
    fake.fault.next = { name: 'ListUserPoolClientsCommand', error: Object.assign(error, { code }), isDone: false };
    expect(await userErrorOf(onProd('rotate', 'acme'))).toMatch(
      new RegExp(`^No connection to the service.*\\n${code}$`, 's'),
    );
  });

  test('rethrows an unexpected error unchanged', async () => {
    fake.fault.next = { name: 'ListUserPoolClientsCommand', error: new TypeError('a defect'), isDone: false };
    await expect(onProd('list')).rejects.toThrow(TypeError);
  });
});
