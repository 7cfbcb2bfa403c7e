import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { AccessToken, WebhookReceiver } from 'livekit-server-sdk';
import { expect, test } from 'vitest';
import { livekit } from '#shared/platforms/livekit/index.ts';

// LiveKit's own SDK is the other side: what it signs is taken, and what it refuses is refused.

const secret = {
  id: 'APIkey',
  value: 'a secret that has more than thirty-two characters',
  createdAt: '2026-01-01T00:00:00.000Z',
};
const receiver = new WebhookReceiver(secret.id, secret.value);
const body = JSON.stringify({ event: 'room_started', room: { sid: 'RM_1', name: 'standup' }, id: 'EV_1' });

async function tokenOf(text: string, { id, value } = secret, ttl: string | number = '5m'): Promise<string> {
  const token = new AccessToken(id, value, { ttl });
  token.sha256 = createHash('sha256').update(text).digest('base64');
  return token.toJwt();
}

const isTaken = (token: string, text: string) => {
  const request = { headers: { authorization: token }, rawQueryString: '', rawBody: Buffer.from(text), url: '' };
  return livekit.isAuthentic(request, secret, new Date());
};
const isTakenBySdk = (token: string, text: string) =>
  receiver.receive(text, token).then(
    () => true,
    () => false,
  );

test('takes what the SDK signs', async () => {
  const token = await tokenOf(body);
  expect(await isTakenBySdk(token, body)).toBe(true);
  expect(isTaken(token, body)).toBe(true);
  expect(isTaken(`Bearer ${token}`, body)).toBe(true);
});

test('refuses what the SDK refuses', async () => {
  const valid = await tokenOf(body);
  const [header = '', claims = '', signature = ''] = valid.split('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  const forParticipant = await new AccessToken(secret.id, secret.value, { identity: 'ada' }).toJwt();
  const cases: readonly (readonly [what: string, token: string, text: string])[] = [
    ['the same JSON in other bytes', valid, JSON.stringify(JSON.parse(body), undefined, 1)],
    ['another body', valid, body.replace('standup', 'stand-up')],
    ['another secret', await tokenOf(body, { ...secret, value: `${secret.value}!` }), body],
    ['another key', await tokenOf(body, { ...secret, id: 'another' }), body],
    ['the hash of another body', await tokenOf('{}'), body],
    ['no signature', `${header}.${claims}.`, body],
    ['the algorithm none', `${none}.${claims}.`, body],
    ['the algorithm none with a signature', `${none}.${claims}.${signature}`, body],
    ['a token of a participant', forParticipant, body],
    ['a token that expired an hour ago', await tokenOf(body, secret, -3600), body],
    ['no token', '', body],
  ];
  for (const [what, token, text] of cases) {
    expect([what, await isTakenBySdk(token, text)]).toEqual([what, false]);
    expect([what, isTaken(token, text)]).toEqual([what, false]);
  }
});

test('refuses a token with an extension that a server must know', async () => {
  const [header = '', claims = ''] = (await tokenOf(body)).split('.');
  const signedWith = (more: object) => {
    const changed = { ...JSON.parse(Buffer.from(header, 'base64url').toString()), ...more };
    const text = `${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${claims}`;
    return `${text}.${createHmac('sha256', secret.value).update(text).digest('base64url')}`;
  };
  expect(isTaken(signedWith({}), body)).toBe(true);
  expect(isTaken(signedWith({ crit: ['b64'], b64: true }), body)).toBe(false);
  expect(isTaken(signedWith({ alg: 'HS512' }), body)).toBe(false);
});

test('refuses a token or body with one bit changed', async () => {
  const token = await tokenOf(body);
  const flipped = (text: string, index: number, bit: number) => {
    const bytes = Buffer.from(text);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
    return bytes.toString('latin1');
  };
  const bit = fc.integer({ min: 0, max: 6 });
  fc.assert(
    fc.property(fc.nat(token.length - 1), bit, (index, of) => isTaken(flipped(token, index, of), body) === false),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.nat(body.length - 1), bit, (index, of) => isTaken(token, flipped(body, index, of)) === false),
    { numRuns: 500 },
  );
});
