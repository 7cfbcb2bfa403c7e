import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { ConnectionSettings } from '#shared/contracts/platforms/connection.ts';
import type { SignedRequest } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { setups } from '#shared/platforms/setups.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { verifyHook } from '#shared/use-cases/platforms/receive-hook.ts';
import captured from './bbb-webhooks-requests.json' with { type: 'json' };

const { url } = captured;
const secret = { value: captured.secret, createdAt: '2026-01-01T00:00:00.000Z' };
const requests = captured.requests.map(({ authorization, query, body, ...about }) => {
  const given: SignedRequest = { headers: { authorization }, rawQueryString: query, rawBody: Buffer.from(body), url };
  return { ...about, name: `${about.version} with a ${about.signedBy}`, given };
});
const isTakenWith = (request: SignedRequest, by: typeof secret, settings: ConnectionSettings) =>
  platforms.bigbluebutton.isAuthentic(request, by, new Date('2026-11-23T18:00:00.000Z'), settings);

describe.each(requests)('what bbb-webhooks $name sends', ({ version, signedBy, given }) => {
  const isWeak = version.startsWith('3.3') && signedBy !== 'bearer token';
  const settings: ConnectionSettings = isWeak ? { weakChecksum: 'true' } : {};
  const isTaken = (request: SignedRequest, by = secret) => isTakenWith(request, by, settings);

  test('is taken and read', () => {
    expect(isTaken(given)).toBe(true);
    expect(platforms.bigbluebutton.read?.(given)).toMatchObject({ events: [{ data: { id: 'user-joined' } }] });
  });

  test('is refused with another secret', () => {
    expect(isTaken(given, { ...secret, value: 'another' })).toBe(false);
    expect(isTaken(given, { ...secret, value: '' })).toBe(false);
  });

  const coversAddress = signedBy !== 'bearer token';
  test(`is ${coversAddress ? 'refused' : 'taken'} at another address than the printed one`, () => {
    for (const other of [`${url}/`, url.replace('http:', 'https:'), url.replace('127.0.0.1', 'localhost')])
      expect(isTaken({ ...given, url: other })).toBe(!coversAddress);
  });

  // Versions 3.0 to 3.3 sign `{}` in place of the body.
  const coversBody = coversAddress && !isWeak;
  test(`is ${coversBody ? 'refused' : 'taken'} with another event, time or domain`, () => {
    const body = given.rawBody.toString();
    for (const part of ['user-joined', '1768471260000', 'bbb.example.com', 'timestamp=1'])
      expect(isTaken({ ...given, rawBody: Buffer.from(body.replace(part, `${part}1`)) })).toBe(!coversBody);
  });
});

describe('a checksum that fits every webhook', () => {
  const { given: weak } = requests.find(({ version }) => version === '3.3.1') ?? expect.unreachable();
  const verdictWith = async (settings: ConnectionSettings, body = weak.rawBody.toString()) => {
    const connectionId = 'a'.repeat(43);
    const organizationId = OrganizationId.parse('acme');
    const about = { connectionId, organizationId, platform: 'bigbluebutton', createdAt: secret.createdAt } as const;
    const connections = { find: async () => ({ ...about, settings }) };
    const secrets = { read: async () => [secret] };
    const apiUrl = url.slice(0, url.indexOf('/v1/hooks/'));
    const deps = { connections, secrets, platforms, apiUrl, now: () => new Date() };
    return await verifyHook(deps, { ...weak, rawBody: Buffer.from(body), connectionId });
  };

  test('is taken only if the connection asks for it', async () => {
    expect(await verdictWith({})).toMatchObject({ origin: 'forged' });
    expect(await verdictWith({}, '{}')).toMatchObject({ origin: 'forged' });
    expect(await verdictWith({ weakChecksum: 'true' })).toMatchObject({ origin: 'authentic' });
  });

  test('is in the lines, with what to do about it', () => {
    const linesWith = (settings: ConnectionSettings) =>
      setups.bigbluebutton({ url, settings, recordings: { bucket: 'b', folder: 'acme/' } });

    expect(linesWith({})).toContain('--set weakChecksum=true');
    expect(linesWith({ weakChecksum: 'true' })).toMatch(
      /3\.4.*without --set weakChecksum=true.*change the shared secret/s,
    );
  });
});

test('a captured webhook is refused with a second value of a field before or behind its own', () => {
  for (const { given, signedBy } of requests) {
    const body = given.rawBody.toString();
    const others = ['event=%5B%5D', '%65vent=%5B%5D', 'event', 'timestamp=1', 'domain=', 'more=1&more=1'];
    const isTaken = (request: SignedRequest) => isTakenWith(request, secret, { weakChecksum: 'true' });
    for (const other of others.flatMap((each) => [`${each}&${body}`, `${body}&${each}`])) {
      const request = { ...given, rawBody: Buffer.from(other) };
      if (signedBy !== 'bearer token') expect([other, isTaken(request)]).toEqual([other, false]);
      expect(() => platforms.bigbluebutton.read?.(request), other).toThrow(InvalidRequest);
    }
  }
});

test('what version 2 signed is not taken as a body, although a name in it can look like fields of a form', () => {
  const name = `x&event=${encodeURIComponent('[{"data":{"id":"meeting-ended"}}]')}&y=`;
  const event = JSON.stringify([{ data: { id: 'user-joined', attributes: { user: { name } } } }]);
  const fields = { event, timestamp: 1768471260000, domain: 'bbb.example.com' };
  const signed = JSON.stringify(fields);
  const checksum = createHash('sha1').update(`${url}${signed}${secret.value}`).digest('hex');
  const sent = { headers: {}, rawQueryString: `checksum=${checksum}`, url };
  const form = new URLSearchParams({ ...fields, timestamp: String(fields.timestamp) }).toString();

  expect(isTakenWith({ ...sent, rawBody: Buffer.from(form) }, secret, {})).toBe(true);
  expect(isTakenWith({ ...sent, rawBody: Buffer.from(signed) }, secret, {})).toBe(false);
});

// The defaults of version 3 have the hooks at modules, "../out/webhooks/index.js", config, and those of version 2 at hooks
// (config/default.example.yml of the commits in bbb-webhooks-requests.json).
test('the lines have the layout of each version of bbb-webhooks, with the printed address', () => {
  const lines = setups.bigbluebutton({ url, settings: {}, recordings: { bucket: 'b', folder: 'acme/' } });
  const layout3 = `
  modules:
    ../out/webhooks/index.js:
      config:
        permanentURLs:
          - url: "${url}"
            getRaw: false
`;
  const layout2 = `
  hooks:
    permanentURLs:
      - url: "${url}"
        getRaw: false
`;

  const [, three = '', two = ''] = lines.split('\nWith version ');
  expect(three).toMatch(/^3 /);
  expect(three).toContain(`:\n${layout3}`);
  expect(two).toMatch(/^2 /);
  expect(two).toContain(`:\n${layout2}`);
});
