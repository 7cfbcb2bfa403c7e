import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { askSecretWith } from '#operations/connections/ask-secret.ts';
import { askForSecret, madeSecret, secretKnownBefore } from '#operations/connections/new-secret.ts';
import { UserError } from '#tools/shared/user-error.ts';

/** Asks with this standard input, which is no terminal. */
function askWith(stdin: string) {
  const stream = new PassThrough();
  stream.end(stdin);
  return askSecretWith({ stdin: stream, stderr: new PassThrough() } as unknown as Parameters<typeof askSecretWith>[0]);
}

test.each([
  [
    'jaas',
    'no-prefix',
    'The secret on standard input must begin with whsec_, and have at least 8 characters after it.',
  ],
  ['whereby', 'one\ntwo', 'The secret on standard input has a line break or another control character.'],
  ['whereby', 'a\u007fb', 'The secret on standard input has a line break or another control character.'],
  ['whereby', 'x'.repeat(1001), 'The secret on standard input is longer than 1000 characters.'],
  ['whereby', '', 'The secret on standard input is empty.'],
  ['whereby', ' \r\n', 'The secret on standard input is empty.'],
] as const)('of %s, the secret %j on standard input is refused in a sentence', async (platform, stdin, problem) => {
  const asked = askForSecret(platform, { secretStdin: true }, { askSecret: askWith(stdin) });
  await expect(asked).rejects.toThrow(new UserError(problem));
});

test('the secret on standard input is taken without the blanks around it', async () => {
  const given = { secretStdin: true, keyId: 'API1' };
  expect(await askForSecret('livekit', given, { askSecret: askWith(' a secret of 1000\r\n') })).toEqual({
    ...{ id: 'API1', value: 'a secret of 1000', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  });
});

test('without a terminal, nobody is asked', async () => {
  expect(await askForSecret('whereby', { secretStdin: false }, { askSecret: askWith('unread') })).toBeUndefined();
});

test('the secret is asked for before there is an address only if the operator has it by then', async () => {
  const askSecret = vi.fn(async () => 'a-secret');
  const dependencies = { askSecret } as never;
  expect(await secretKnownBefore({ platform: 'whereby', secretStdin: false }, dependencies)).toBeUndefined();
  expect(askSecret).not.toHaveBeenCalled();
  expect(await secretKnownBefore({ platform: 'whereby', secretStdin: true }, dependencies)).toBeDefined();
  const livekit = { platform: 'livekit', keyId: 'API1', secretStdin: false } as const;
  expect(await secretKnownBefore(livekit, dependencies)).toMatchObject({ id: 'API1', value: 'a-secret' });
});

test('made secrets have 32 random bytes in the form that the platform takes', () => {
  expect(Buffer.from(madeSecret('daily')?.value ?? '', 'base64')).toHaveLength(32);
  expect(madeSecret('jitsi')?.value).toMatch(/^[\w-]{43}$/);
  expect(madeSecret('jitsi')?.value).not.toBe(madeSecret('jitsi')?.value);
  for (const platform of ['livekit', 'whereby', 'jaas', 'bigbluebutton'] as const)
    expect(madeSecret(platform)).toBeUndefined();
});
