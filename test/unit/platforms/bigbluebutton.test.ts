import { describe, expect, test } from 'vitest';
import { InvalidRequest } from '#shared/errors.ts';
import type { SignedRequest } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { setups } from '#shared/platforms/setups.ts';
import captured from './bbb-webhooks-requests.json' with { type: 'json' };

const { url } = captured;
const secret = { value: captured.secret, createdAt: '2026-01-01T00:00:00.000Z' };
const requests = captured.requests.map(({ authorization, query, body, ...about }) => {
  const given: SignedRequest = { headers: { authorization }, rawQueryString: query, rawBody: Buffer.from(body), url };
  return { ...about, name: `${about.version} with a ${about.signedBy}`, given };
});
const isTaken = (request: SignedRequest, by = secret) =>
  platforms.bigbluebutton.isAuthentic(request, by, new Date('2026-11-23T18:00:00.000Z'));

describe.each(requests)('what bbb-webhooks $name sends', ({ version, signedBy, given }) => {
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
  const coversBody = coversAddress && !version.startsWith('3.3');
  test(`is ${coversBody ? 'refused' : 'taken'} with another event, time or domain`, () => {
    const body = given.rawBody.toString();
    for (const part of ['user-joined', '1768471260000', 'bbb.example.com', 'timestamp=1'])
      expect(isTaken({ ...given, rawBody: Buffer.from(body.replace(part, `${part}1`)) })).toBe(!coversBody);
  });
});

test('a captured webhook is refused with a second value of a field before or behind its own', () => {
  for (const { given, signedBy } of requests) {
    const body = given.rawBody.toString();
    const others = ['event=%5B%5D', '%65vent=%5B%5D', 'event', 'timestamp=1', 'domain=', 'more=1&more=1'];
    for (const other of others.flatMap((each) => [`${each}&${body}`, `${body}&${each}`])) {
      const request = { ...given, rawBody: Buffer.from(other) };
      if (signedBy !== 'bearer token') expect([other, isTaken(request)]).toEqual([other, false]);
      expect(() => platforms.bigbluebutton.read?.(request), other).toThrow(InvalidRequest);
    }
  }
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
