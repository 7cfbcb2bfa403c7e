import { STSClient } from '@aws-sdk/client-sts';
import { expect, test } from 'vitest';
import { linkCredentials } from '#shared/adapters/links/link-credentials.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { type Answer, answering } from '../../../support/client/fake-client.ts';

const start = Date.parse('2026-03-01T10:00:00.000Z');
const sessionMs = 3_600_000;

/** STS with sessions of one hour, and a clock that the test controls. */
function fixture(answer?: Answer) {
  const clock = { ms: start };
  const { client, calls } = answering(
    new STSClient({ region: 'eu-west-1' }),
    answer ??
      ((_call, index) => ({
        Credentials: {
          AccessKeyId: `key-${index + 1}`,
          SecretAccessKey: 'secret',
          SessionToken: 'token',
          Expiration: new Date(clock.ms + sessionMs),
        },
      })),
  );
  const credentialsFor = linkCredentials(client, 'arn:link-role', () => new Date(clock.ms));
  return {
    clock,
    calls,
    keyFor: async (seconds: number) => (await credentialsFor(seconds))?.accessKeyId,
    credentialsFor,
  };
}

test('linkCredentials assumes the link role for an hour, the maximum for a chained role', async () => {
  const { calls, credentialsFor } = fixture();
  expect(await credentialsFor(60)).toEqual({
    accessKeyId: 'key-1',
    secretAccessKey: 'secret',
    sessionToken: 'token',
    expiration: new Date(start + sessionMs),
  });
  expect(calls).toEqual([
    {
      name: 'AssumeRoleCommand',
      input: { RoleArn: 'arn:link-role', RoleSessionName: 'access-link', DurationSeconds: 3600 },
    },
  ]);
});

test.each([
  ['is reused if it ends after the link', 1_800_000, 1799, 'key-1'],
  ['is reused if it ends at the same moment as the link', 1_800_000, 1800, 'key-1'],
  ['is replaced if it ends a millisecond before the link', 1_800_001, 1800, 'key-2'],
  ['is reused for the longest link while it is less than a minute old', 60_000, 3540, 'key-1'],
  ['is replaced for the longest link when it is a minute old', 60_001, 3540, 'key-2'],
  ['is replaced if it has just expired', sessionMs, 1, 'key-2'],
  ['is replaced if it expired long ago', sessionMs * 10, 1, 'key-2'],
])('a session %s', async (_name, laterMs, validForSeconds, key) => {
  const { clock, keyFor } = fixture();
  await keyFor(3540);
  clock.ms = start + laterMs;
  expect(await keyFor(validForSeconds)).toBe(key);
});

test.each([3541, 3600, 43_200])('a link of %i seconds gets no session, and STS is not called', async (seconds) => {
  const { calls, credentialsFor } = fixture();
  expect(await credentialsFor(seconds)).toBeUndefined();
  expect(calls).toEqual([]);
});

test('a link that outlasts a new session gets none', async () => {
  const credentials = {
    AccessKeyId: 'a',
    SecretAccessKey: 'b',
    SessionToken: 'c',
    Expiration: new Date(start + 59_999),
  };
  const { credentialsFor } = fixture(() => ({ Credentials: credentials }));
  expect(await credentialsFor(60)).toBeUndefined();
  expect(await credentialsFor(59)).toBeDefined();
});

test('linkCredentials calls STS once a minute at most', async () => {
  const { clock, calls, keyFor } = fixture();
  for (let second = 0; second < 180; second++) {
    clock.ms = start + second * 1000;
    await keyFor(3540);
  }
  expect(calls).toHaveLength(3);
});

test('every session lasts as long as the link that it signs', async () => {
  const { clock, credentialsFor } = fixture();
  for (let second = 0; second < 7200; second += 7) {
    clock.ms = start + second * 1000;
    for (const validForSeconds of [1, 900, 3540]) {
      const credentials = await credentialsFor(validForSeconds);
      expect(credentials?.expiration.getTime()).toBeGreaterThanOrEqual(clock.ms + validForSeconds * 1000);
    }
  }
});

test.each([
  [{}],
  [{ Credentials: {} }],
  [{ Credentials: { AccessKeyId: 'a', SecretAccessKey: 'b', SessionToken: 'c' } }],
])('linkCredentials rejects if STS answers %j', async (answer) => {
  await expect(fixture(() => answer).credentialsFor(60)).rejects.toThrow(ServiceUnavailable);
});

test('linkCredentials calls STS again after a failed call', async () => {
  const credentials = { AccessKeyId: 'a', SecretAccessKey: 'b', SessionToken: 'c', Expiration: new Date(start + 1e6) };
  const { keyFor } = fixture((_call, index) => {
    if (index === 0) throw new Error('down');
    return { Credentials: credentials };
  });
  await expect(keyFor(60)).rejects.toThrow('down');
  expect(await keyFor(60)).toBe('a');
});
