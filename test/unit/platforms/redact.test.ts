import { describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { platformNames } from '#shared/contracts/platforms/connection.ts';
import type { SignedRequest } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { redact } from '#shared/platforms/redact.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { storedHook } from '#shared/use-cases/platforms/receive-hook.ts';

const now = new Date('2026-11-23T09:00:00.000Z');
const hidden = 'a-hidden-value';

/** The other ways in which a platform could write the name of a field. */
function spellings(name: string): string[] {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]/);
  const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
  return [name, words.join('_'), words.join('-'), words.map(capital).join(''), name.toUpperCase(), name.toLowerCase()];
}

const storedFor = (name: (typeof platformNames)[number], payload: unknown, encode = JSON.stringify) => {
  const request: SignedRequest = { headers: {}, rawQueryString: '', rawBody: Buffer.from(encode(payload)), url: '' };
  const organizationId = OrganizationId.parse('acme');
  const connection = {
    ...{ connectionId: 'c'.repeat(43), organizationId, platform: name, settings: {} },
    createdAt: now.toISOString(),
  };
  return JSON.stringify(storedHook(platforms[name], connection, request, now));
};

/** BigBlueButton sends its events as JSON in a field of a form. */
const inForm = (events: unknown) =>
  new URLSearchParams({ domain: 'bbb.example.com', event: JSON.stringify([events]), checksum: hidden }).toString();

describe.each(platformNames)('the stored webhook of %s', (name) => {
  const encode = name === 'bigbluebutton' ? inForm : JSON.stringify;
  const { secretFields } = platforms[name];

  test.each(secretFields)('has no field %s: at any depth, in lists, in any spelling', (field) => {
    for (const spelling of spellings(field)) {
      const secrets = { [spelling]: hidden, list: [[{ [spelling]: { deep: hidden } }]], kept: 'kept-value' };
      const stored = storedFor(name, { ...secrets, room: { inner: secrets } }, encode);
      expect([spelling, stored.includes(hidden)]).toEqual([spelling, false]);
      expect(stored.split('kept-value')).toHaveLength(3);
    }
  });
});

// What platforms are known to send. A field that is taken out of a list is stored from then on.
test.each([
  [
    'livekit',
    [
      'turnPassword',
      'accessKey',
      'secret',
      'sessionToken',
      'assumeRoleExternalId',
      'credentials',
      'accountKey',
      'proxy',
      'password',
      'signingKey',
      'streamKey',
      'token',
      'urls',
      'url',
      'websocketUrl',
      'customBaseUrl',
      'inboundPassword',
      'outboundPassword',
    ],
  ],
  ['daily', ['share_token', 'download_link', 'access_link', 'token', 'hmac', 'basicAuth']],
  ['whereby', ['accessLink', 'hostRoomUrl', 'viewerRoomUrl', 'roomKey', 'token']],
  ['jaas', ['preAuthenticatedLink', 'preAuthenticatedLinkV2', 'statsUrl', 'avatar', 'avatarUrl', 'avatarURL']],
  ['jitsi', ['avatar', 'avatarURL', 'token']],
  [
    'bigbluebutton',
    ['moderator-pass', 'viewer-pass', 'moderatorPass', 'viewerPass', 'password', 'checksum', 'metadata'],
  ],
] as const)('the secret fields of %s are known', (name, fields) => {
  expect(platforms[name].secretFields).toEqual(expect.arrayContaining([...fields]));
});

test('only whole names are secret, and every other value is kept as it is', () => {
  const payload = {
    ...{ tokens: 1, mytoken: null, tokenized: [true, 1.5, ''], '': {}, text: 'token', 'to.ken2': 'x' },
    ['__proto__']: { kept: 1 },
  };
  expect(JSON.stringify(redact(payload, ['token']))).toBe(JSON.stringify(payload));
  for (const plain of ['token', 1, null, true]) expect(redact(plain, ['token'])).toBe(plain);
});

test('a payload of a hundred levels is stored, and a deeper one is refused', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  expect(redact(nested(100), [])).toEqual(nested(100));
  expect(() => redact(nested(101), [])).toThrow(InvalidRequest);
});

test('a form of BigBlueButton without events that can be read is refused', () => {
  for (const body of ['', 'event=', 'event=%5B', 'events=[]'])
    expect(() => storedFor('bigbluebutton', body, String)).toThrow(InvalidRequest);
});
