import { randomBytes, randomInt } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ReceivedWebhook, verifyWebhook, webhookHeaders } from '#client/receiver.ts';

const now = new Date('2026-03-02T09:00:00Z');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const notice = {
  id: `ntc_${'a'.repeat(27)}`,
  apiVersion: '1.0',
  createdAt: '2026-03-02T08:59:59.000Z',
  type: 'webhook.disabled',
  data: { revision: 1, webhookId: '9226ec25-8833-431d-82bc-05dbfd0728fb', state: 'disabled' },
};

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A webhook as the reference library signs it. */
function signed(body = JSON.stringify(notice), by = secret, at = now) {
  const headers = {
    [webhookHeaders.id]: notice.id,
    [webhookHeaders.timestamp]: String(at.getTime() / 1000),
    [webhookHeaders.signature]: new Webhook(by).sign(notice.id, at, body),
  };
  return { secret, headers, body };
}

const codeOf = (webhook: ReceivedWebhook) =>
  verifyWebhook(webhook).then(
    () => 'accepted',
    (error) => error.code ?? error.name,
  );

describe('a webhook that the reference library has signed', () => {
  test('is accepted with any kind of body and of headers', async () => {
    const { headers, body } = signed();
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const bytes = Buffer.concat([Buffer.from('before'), Buffer.from(body)]).subarray(6);
    const bodies = [body, Buffer.from(body), bytes, new TextEncoder().encode(body).buffer];
    for (const each of bodies) expect(await verifyWebhook({ secret, headers, body: each })).toEqual(notice);
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const each of [headers, upper, new Headers(headers), lists])
      expect(await verifyWebhook({ secret, headers: each, body })).toEqual(notice);
  });

  test('is accepted if the body has characters of every plane', async () => {
    const body = JSON.stringify({ ...notice, data: { text: 'ä林😀\u0000\u2028' } });
    expect(await codeOf(signed(body))).toBe('accepted');
    expect(await codeOf({ ...signed(body), body: Buffer.from(body) })).toBe('accepted');
  });

  test('is refused if bytes that are not UTF-8 were put in the place of others', async () => {
    const body = JSON.stringify({ ...notice, data: { text: '\ufffd' } });
    const bytes = Buffer.from(Buffer.from(body).toString('latin1').replace('\xef\xbf\xbd', '\xff'), 'latin1');
    expect(bytes.toString()).toBe(body); // a text cannot tell the two apart
    expect(await codeOf({ ...signed(body), body: bytes })).toBe('wrong_signature');
  });

  test('is accepted if one of the secrets or one of the signatures fits', async () => {
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    const { headers, body } = signed();
    expect(await verifyWebhook({ secrets: [other, secret], headers, body })).toEqual(notice);
    const signature = `${signed(body, other).headers[webhookHeaders.signature]} v1a,abc ${headers[webhookHeaders.signature]}`;
    const several = { ...headers, [webhookHeaders.signature]: signature };
    expect(await verifyWebhook({ secret, headers: several, body })).toEqual(notice);
    expect(await codeOf({ secrets: [other], headers, body })).toBe('wrong_signature');
  });

  test('is accepted by the library, too, and with a secret without its prefix', async () => {
    const { headers, body } = signed();
    expect(new Webhook(secret).verify(body, headers)).toEqual(notice);
    expect(await codeOf({ secret: secret.replace('whsec_', ''), headers, body })).toBe('accepted');
  });
});

describe('the published vector of Standard Webhooks', () => {
  const vector = {
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
  };

  test.each(['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'has the right signature, although its body is not a notice: %s',
    async (published) => {
      vi.setSystemTime(1614265330_000);
      expect(await codeOf({ ...vector, secret: published })).toBe('not_a_notice');
      expect(await codeOf({ ...vector, secret })).toBe('wrong_signature');
    },
  );

  test.each([
    ['v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=', 'wrong_signature'],
    ['v1,dawfeoifkpqwoekfpqoekf', 'malformed_signature'],
    ['v1,g0hM9', 'malformed_signature'],
    ['v1,', 'malformed_signature'],
    ['v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=', 'malformed_signature'],
    [
      'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=',
      'not_a_notice',
    ],
  ])('with the signature %s ends in %s', async (signature, code) => {
    vi.setSystemTime(1614265330_000);
    const headers = { ...vector.headers, 'webhook-signature': signature };
    expect(await codeOf({ headers, body: vector.body, secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })).toBe(code);
  });
});

test('a webhook with one flipped bit is refused, wherever the bit is', async () => {
  const seed = randomInt(2 ** 31);
  const { headers, body } = signed();
  const parts = [...Object.values(headers), body].map((part) => Buffer.from(part));
  const bits = parts.flatMap((part, index) => Array.from({ length: part.length * 8 }, (_, bit) => ({ index, bit })));
  const step = bits.length / 1000;
  const outcomes = new Map<string, number>();
  for (let count = 0; count < 1000; count++) {
    const { index, bit } = bits[Math.floor(((count + (seed % 997) / 997) * step) % bits.length)] ?? {
      index: 0,
      bit: 0,
    };
    const [id, timestamp, signature, bytes = Buffer.of()] = parts.map((part, place) => {
      const copy = Buffer.from(part);
      const byte = Math.floor(bit / 8);
      if (place === index) copy[byte] = (copy[byte] ?? 0) ^ (1 << (bit % 8));
      return copy;
    });
    const flipped = {
      [webhookHeaders.id]: String(id),
      [webhookHeaders.timestamp]: String(timestamp),
      [webhookHeaders.signature]: String(signature),
    };
    const code = await codeOf({ secret, headers: flipped, body: bytes });
    outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
  }
  expect([...outcomes.keys()], `seed ${seed}`).not.toContain('accepted');
  expect([...outcomes.values()].reduce((sum, each) => sum + each)).toBe(1000);
  expect(
    [...outcomes.keys()].every((code) => /^[a-z_]+$/.test(code)),
    `seed ${seed}`,
  ).toBe(true);
});

describe('a webhook is refused as', () => {
  test.each(Object.values(webhookHeaders).filter((name) => name !== webhookHeaders.whereby))(
    'missing_header without %s',
    async (name) => {
      const { headers, body } = signed();
      for (const value of [undefined, ''])
        expect(await codeOf({ secret, headers: { ...headers, [name]: value }, body })).toBe('missing_header');
    },
  );

  test.each([
    [-300, 'accepted'],
    [-301, 'timestamp_too_old'],
    [300, 'accepted'],
    [301, 'timestamp_too_new'],
  ])('too old or too new if it was signed %s seconds from now: %s', async (seconds, code) => {
    expect(await codeOf(signed(undefined, undefined, new Date(now.getTime() + seconds * 1000)))).toBe(code);
  });

  test('too old by another tolerance, and never with an endless one', async () => {
    const old = signed(undefined, undefined, new Date(now.getTime() - 11_000));
    expect(await codeOf({ ...old, toleranceSeconds: 10 })).toBe('timestamp_too_old');
    expect(await codeOf({ ...old, toleranceSeconds: 11 })).toBe('accepted');
    const ancient = signed(undefined, undefined, new Date(0));
    expect(await codeOf({ ...ancient, toleranceSeconds: Number.POSITIVE_INFINITY })).toBe('accepted');
  });

  test.each(['soon', '1614265330abc', '-5', '1e9', '0x10', ' 5', '12345678901234'])(
    'malformed_signature with the timestamp "%s"',
    async (timestamp) => {
      const { headers, body } = signed();
      const changed = { ...headers, [webhookHeaders.timestamp]: timestamp };
      expect(await codeOf({ secret, headers: changed, body })).toBe('malformed_signature');
    },
  );

  test.each(['', '[]', 'null', '7', '{', '{"id":"a","type":"b"}', '{"id":1,"type":"b","data":{}}'])(
    'not_a_notice with the signed body "%s"',
    async (body) => {
      expect(await codeOf(signed(body))).toBe('not_a_notice');
    },
  );
});

describe('a wrong use throws a TypeError', () => {
  const { headers, body } = signed();
  test.each([
    ['a parsed body', { secret, headers, body: notice }],
    ['no body', { secret, headers, body: undefined }],
    ['no secret', { secret: undefined, headers, body }],
    ['an empty secret', { secret: '', headers, body }],
    ['a secret of a prefix alone', { secret: 'whsec_', headers, body }],
    ['a secret that is not base64', { secret: 'whsec_ä', headers, body }],
    ['no secrets', { secrets: [], headers, body }],
    ['a wrong secret among right ones', { secrets: [secret, ''], headers, body }],
    ['a tolerance that is not a number', { secret, headers, body, toleranceSeconds: Number.NaN }],
  ])('%s', async (_, webhook) => {
    await expect(verifyWebhook(webhook as ReceivedWebhook)).rejects.toBeInstanceOf(TypeError);
  });
});
