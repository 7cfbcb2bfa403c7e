import { STSClient } from '@aws-sdk/client-sts';
import { expect, test } from 'vitest';
import { linkCredentials } from '#shared/adapters/sts/link-credentials.ts';
import { ServiceUnavailable } from '#shared/errors.ts';
import { type Answer, answering } from '../../support/fake-client.ts';

const start = Date.parse('2026-03-01T10:00:00.000Z');
const sessionMs = 3_600_000;

/** An STS whose sessions last for an hour, and a clock that the test moves. */
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
    keyFor: async (seconds: number) => (await credentialsFor(seconds)).accessKeyId,
    credentialsFor,
  };
}

test('a session is that of the link role, as long as a role may give one to a role', async () => {
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
  ['outlasts the link', 1_800_000, 1800, 'key-1'],
  ['lasts exactly as long as the link', 1_800_000, 1800, 'key-1'],
  ['ends a second before the link', 1_801_000, 1800, 'key-2'],
  ['is a minute old and ends before the link', 60_000, 3600, 'key-2'],
  ['is less than a minute old, though a new one would last longer', 59_999, 3600, 'key-1'],
  ['has ended', sessionMs, 1, 'key-2'],
  ['ended long ago', sessionMs * 10, 1, 'key-2'],
])('a session that %s is used again or not', async (_name, laterMs, validForSeconds, key) => {
  const { clock, keyFor } = fixture();
  await keyFor(3600);
  clock.ms = start + laterMs;
  expect(await keyFor(validForSeconds)).toBe(key);
});

test('links of twelve hours cost one call to STS a minute, not one each', async () => {
  const { clock, calls, keyFor } = fixture();
  for (let second = 0; second < 180; second++) {
    clock.ms = start + second * 1000;
    await keyFor(43_200);
  }
  expect(calls).toHaveLength(3);
});

test('what a link gets is never less than it asks for by more than a minute, where STS can give it', async () => {
  const { clock, credentialsFor } = fixture();
  for (let second = 0; second < 7200; second += 7) {
    clock.ms = start + second * 1000;
    for (const validForSeconds of [1, 900, 3600]) {
      const { expiration } = await credentialsFor(validForSeconds);
      expect(expiration.getTime() - clock.ms).toBeGreaterThan((validForSeconds - 60) * 1000);
      expect(expiration.getTime()).toBeGreaterThan(clock.ms);
    }
  }
});

test.each([
  [{}],
  [{ Credentials: {} }],
  [{ Credentials: { AccessKeyId: 'a', SecretAccessKey: 'b', SessionToken: 'c' } }],
])('an answer of %j is no session', async (answer) => {
  await expect(fixture(() => answer).credentialsFor(60)).rejects.toThrow(ServiceUnavailable);
});

test('a call that failed is not remembered', async () => {
  const credentials = { AccessKeyId: 'a', SecretAccessKey: 'b', SessionToken: 'c', Expiration: new Date(start + 1e6) };
  const { keyFor } = fixture((_call, index) => {
    if (index === 0) throw new Error('down');
    return { Credentials: credentials };
  });
  await expect(keyFor(60)).rejects.toThrow('down');
  expect(await keyFor(60)).toBe('a');
});
