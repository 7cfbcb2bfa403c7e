import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlatformName } from '#shared/contracts/platforms/connection.ts';
import type { SignedRequest } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';

// A request of each platform that is signed, from the platform's own documentation or libraries where they have one.

type Signed = {
  readonly secret: { readonly id?: string; readonly value: string };
  /** When the request was sent, in seconds. */
  readonly sentAt: number;
  /** For how many seconds after that it is accepted. Undefined: for ever, because nothing in it has a time. */
  readonly acceptedFor: number | undefined;
  /** Where the signature is: in a header, or in the query. */
  readonly header?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: string;
  /** False where nothing covers the body. */
  readonly coversBody: boolean;
  readonly body: string;
};

const url = 'https://api.example.com/v1/hooks/connection/platform';
const livekitBody =
  '{"event":"room_started", "room":{"sid":"RM_TkVjUvAqgzKz", "name":"mytestroom", "emptyTimeout":300, "creationTime":"1628545903", "turnPassword":"ICkSr2rEeslkN6e9bXL4Ji5zzMD5Z7zzr6ulOaxMj6N", "enabledCodecs":[{"mime":"audio/opus"}, {"mime":"video/VP8"}]}}';
const bbbBody = 'domain=bbb.example.com&event=%5B%5D&timestamp=1768471200000';
const bbbSecret = 'shared-secret-of-bbb';

const requests: Readonly<Record<PlatformName, Signed>> = {
  livekit: {
    secret: { id: 'abcdefg', value: 'abababa' },
    ...{ sentAt: 1_628_545_903, acceptedFor: 300 + 59, header: 'authorization', coversBody: true, body: livekitBody },
    headers: {
      authorization:
        'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhYmNkZWZnIiwibmJmIjoxNjI4NTQ1OTAzLCJleHAiOjE2Mjg1NDYyMDMsInNoYTI1NiI6IkNvRVF6MWNocUo5Ym5aUmNPUmRkanBsa3Zwam1QdWptTFRSNDJEYmVmWUk9In0.-wsFGCPV1n2k5eBu76GWuJmK8-7N9-2xOrt0kgG2Ca4',
    },
  },
  daily: {
    secret: { value: 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=' },
    ...{ sentAt: 1_768_471_200, acceptedFor: 600, header: 'x-webhook-signature', coversBody: true },
    headers: {
      'x-webhook-timestamp': '1768471200',
      'x-webhook-signature': 'oS3z8+XP32pQrX7+2FhaWsZUdj9tEqpN6AmFagzbBTk=',
    },
    body: '{"version":"1.0.0","type":"participant.left","id":"ptcpt-left-x-1","payload":{},"event_ts":1768471200.5}',
  },
  whereby: {
    secret: { value: 'test-secret' },
    ...{ sentAt: 1_768_471_200, acceptedFor: 300, header: 'whereby-signature', coversBody: true },
    headers: {
      'whereby-signature': 't=1768471200,v1=dd74be7441afd1a329931777ba6e82358196a6f840742d3a3fd5988ddce0ca2a',
    },
    body: '{"id":"11111111-1111-4111-8111-111111111111","apiVersion":"1.0","createdAt":"2026-01-15T10:00:00.000Z","type":"room.client.joined","data":{"roomName":"/standup"}}',
  },
  jaas: {
    secret: { value: 'whsec_9635df66714a4cf088ee9d0979dd3bf6' },
    ...{ sentAt: 1_632_490_060, acceptedFor: 300, header: 'x-jaas-signature', coversBody: true },
    headers: { 'x-jaas-signature': 't=1632490060,v1=xlzqEojlh4qb21sQpXYsWgyK8x9HVpz+RQldsv18rV0=' },
    body: '{"eventType":"PARTICIPANT_JOINED","sessionId":"9a441d60-ceaf-4eba-b0a8-a7d940a76e1b","timestamp":1632490058278,"fqn":"vpaas-magic-cookie-96f0941768964ab380ed0fbada7a502f/sampleappromanticshiftsstripas","idempotencyKey":"9e9e7420-562d-4659-8e22-44b9b22aaa49","customerId":"96f0941768964ab380ed0fbada7a502f","appId":"vpaas-magic-cookie-96f0941768964ab380ed0fbada7a502f","data":{"avatar":"","name":"Test User","id":"auth0|5f903d7a77f3b4006eb8e67d","participantJid":"fc1ea14a-9bca-4218-a563-8c627e803d56@8x8.vc","moderator":true,"email":"test.user@company.com"}}',
  },
  jitsi: {
    secret: { value: 'k6ZxVgkZrV7z1B3m5n7p9r1t3v5x7z9B1D3F5H7J9L1' },
    ...{ sentAt: 1_768_471_200, acceptedFor: undefined, header: 'authorization', coversBody: false },
    headers: { authorization: 'Bearer k6ZxVgkZrV7z1B3m5n7p9r1t3v5x7z9B1D3F5H7J9L1' },
    body: '{"event_name":"muc-room-created"}',
  },
  bigbluebutton: {
    secret: { value: bbbSecret },
    ...{ sentAt: 1_768_471_200, acceptedFor: undefined, coversBody: true, headers: {}, body: bbbBody },
    query: `checksum=${createHash('sha256').update(`${url}${bbbBody}${bbbSecret}`).digest('hex')}`,
  },
};

describe.each(Object.entries(requests))('%s', (name, signed) => {
  const { isAuthentic } = platforms[name as PlatformName];
  const { secret, sentAt, acceptedFor, header, headers, query = '', body, coversBody } = signed;
  const given: SignedRequest = { headers, rawQueryString: query, rawBody: Buffer.from(body), url };
  const stored = { ...secret, createdAt: '2026-01-01T00:00:00.000Z' };
  const isTaken = (change: Partial<SignedRequest> = {}, more: { by?: typeof stored; after?: number } = {}) =>
    isAuthentic({ ...given, ...change }, more.by ?? stored, new Date((sentAt + (more.after ?? 0)) * 1000));

  test('takes what its platform signs', () => expect(isTaken()).toBe(true));

  test('refuses another secret', () => {
    expect(isTaken({}, { by: { ...stored, value: `A${secret.value}` } })).toBe(false);
    expect(isTaken({}, { by: { ...stored, value: '' } })).toBe(false);
    if (secret.id !== undefined) expect(isTaken({}, { by: { ...stored, id: 'another' } })).toBe(false);
  });

  test('refuses a signature with one bit changed, cut or longer', () => {
    const signature = header === undefined ? query : (headers[header] ?? '');
    const changed = (text: string) =>
      header === undefined ? { rawQueryString: text } : { headers: { ...headers, [header]: text } };
    const start = signature.length - 20; // the last characters are of the signature in every scheme
    const last = signature.endsWith('=') ? signature.length - 2 : signature.length - 1; // its low bits may be padding
    for (let index = start; index < last; index += 1) {
      const flipped = String.fromCharCode(signature.charCodeAt(index) ^ 1);
      expect(isTaken(changed(signature.slice(0, index) + flipped + signature.slice(index + 1)))).toBe(false);
    }
    expect(isTaken(changed(signature.slice(0, -1)))).toBe(false);
    expect(isTaken(changed(`${signature}0`))).toBe(false);
    expect(isTaken(changed(''))).toBe(false);
    expect(isTaken({ headers: {}, rawQueryString: '' })).toBe(false);
  });

  const rewritten = body.startsWith('{') ? JSON.stringify(JSON.parse(body), undefined, 1) : body.replace('=', '%3D');
  const otherBodies = [`${body} `, body.slice(1), Buffer.from(body).toString('base64'), rewritten, ''];
  test(`${coversBody ? 'refuses' : 'cannot refuse'} other bytes, also those of the same JSON`, () => {
    for (const other of otherBodies) expect(isTaken({ rawBody: Buffer.from(other) })).toBe(!coversBody);
  });

  const year = 365 * 86_400;
  test(acceptedFor === undefined ? 'takes it at any time' : 'refuses what is too old or too new', () => {
    const isTimed = acceptedFor !== undefined;
    const seconds = acceptedFor ?? year;
    expect(isTaken({}, { after: seconds })).toBe(true);
    for (const after of [seconds + 1, year, -601, -year]) expect(isTaken({}, { after })).toBe(!isTimed);
  });

  test('never throws, whatever arrives', () => {
    const anyText = fc.oneof(fc.string(), fc.constantFrom(...Object.values(headers), query));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(headers), 'authorization', 'x-other'), anyText),
        anyText,
        fc.uint8Array(),
        (anyHeaders, rawQueryString, bytes) => {
          const request = { headers: anyHeaders, rawQueryString, rawBody: Buffer.from(bytes), url };
          const isTaken = isAuthentic(request, stored, new Date());
          if (coversBody) expect(isTaken).toBe(false);
          else expect([true, false]).toContain(isTaken);
          expect([true, false, undefined]).toContain(platforms[name as PlatformName].isProbe?.(request));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('translates no webhook of an unknown type, and throws for none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (payload) => {
        const connection = {
          ...{ connectionId: 'c'.repeat(43), organizationId: 'acme' as never, platform: name as PlatformName },
          ...{ settings: {}, createdAt: stored.createdAt },
        };
        const hook = { payload, connection, receivedAt: stored.createdAt, digest: 'd'.repeat(64) };
        const { roomOf, manifestOf, translate } = platforms[name as PlatformName];
        expect(roomOf?.(hook)).toBeUndefined();
        expect(manifestOf?.(hook)).toBeUndefined();
        expect(translate(hook, { sessions: [] }).events).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

test('BigBlueButton takes its secret as a bearer token too, and no other token', () => {
  const request = (token: string): SignedRequest => ({
    ...{ headers: { authorization: `Bearer ${token}` }, rawQueryString: '', rawBody: Buffer.from(bbbBody), url },
  });
  const { isAuthentic } = platforms.bigbluebutton;
  const stored = { value: bbbSecret, createdAt: '2026-01-01T00:00:00.000Z' };
  expect(isAuthentic(request(bbbSecret), stored, new Date())).toBe(true);
  expect(isAuthentic(request(`${bbbSecret}x`), stored, new Date())).toBe(false);
  expect(isAuthentic(request('x'), { ...stored, value: '' }, new Date())).toBe(false);
});
