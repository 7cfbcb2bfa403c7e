import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AccessLinksOptions, accessLinks } from '#shared/adapters/links/access-links.ts';
import type { SigningRequest } from '#shared/use-cases/links/ports.ts';
import { hasValidSignature } from '../../../support/webhooks/signature-verifier.ts';

const now = new Date('2026-03-01T10:00:00.750Z');
const session = (expiration: Date) => ({
  accessKeyId: 'ASIAEXAMPLE',
  secretAccessKey: 'secret/with+signs=',
  sessionToken: 'token/with+signs==',
  expiration,
});
const sessionOfAnHour = session(new Date('2026-03-01T11:00:00.500Z'));
const request = {
  key: 'a.md',
  filename: 'a.md',
  contentType: 'text/plain',
  method: 'GET',
  validForSeconds: 600,
} as const;

function linksWith(options: Partial<AccessLinksOptions> = {}) {
  const { sign } = accessLinks({
    bucket: 'transcripts',
    region: 'eu-west-1',
    endpoint: undefined,
    credentialsFor: async () => sessionOfAnHour,
    now: () => now,
    ...options,
  });
  const create = async (asked: SigningRequest) => {
    const link = await sign(asked);
    if (!link) throw new Error('No session outlasts the link.');
    return link;
  };
  return { sign, create };
}

/** The moment at which S3 starts to reject the link, read from the link's own parameters. */
function endOf(accessLink: string): number {
  const { searchParams } = new URL(accessLink);
  const [date = '', time = ''] = (searchParams.get('X-Amz-Date') ?? '').replace('Z', '').split('T');
  const iso = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
  return Date.parse(iso) + Number(searchParams.get('X-Amz-Expires')) * 1000;
}

const keys = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom('a b', "it's", '"', 'ü', '+', '%2F', '*!()~'),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((segments) => segments.map((segment) => segment.replaceAll('/', '_')).join('/'))
  .filter((key) => key.split('/').every((segment) => segment !== '.' && segment !== '..'));
const requests: fc.Arbitrary<SigningRequest> = fc.record({
  key: keys,
  validForSeconds: fc.integer({ min: 1, max: 43_200 }),
  contentType: fc.constantFrom('text/vtt; charset=utf-8', 'application/json'),
  filename: fc.constantFrom('a.md', 'a b.md', 'ü.md'),
  method: fc.constantFrom('GET', 'HEAD'),
});

describe('an access link', () => {
  test('has the signature that an independent implementation calculates, for 1,000 random requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        requests,
        fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
        async (randomRequest, at) => {
          const credentials = session(new Date(at.getTime() + 3_600_000));
          const { accessLink } = await linksWith({ credentialsFor: async () => credentials, now: () => at }).create(
            randomRequest,
          );
          expect(hasValidSignature(accessLink, credentials, randomRequest.method)).toBe(true);
          expect(decodeURIComponent(new URL(accessLink).pathname)).toBe(`/${randomRequest.key}`);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('is valid for its own method only', async () => {
    const { accessLink } = await linksWith().create({ ...request, method: 'HEAD' });
    expect(hasValidSignature(accessLink, sessionOfAnHour, 'HEAD')).toBe(true);
    expect(hasValidSignature(accessLink, sessionOfAnHour)).toBe(false);
  });

  test('has a signature that is invalid for any other key, lifetime, host, name, type, date or token', async () => {
    const { accessLink } = await linksWith().create(request);
    expect(hasValidSignature(accessLink, sessionOfAnHour)).toBe(true);
    for (const [part, replacement] of [
      ['/a.md', '/b.md'],
      ['/a.md', '/A.md'],
      ['/a.md', '//a.md'],
      ['X-Amz-Expires=600', 'X-Amz-Expires=43200'],
      ['transcripts.s3', 'recordings.s3'],
      ['eu-west-1', 'us-east-1'],
      ['attachment', 'inline'],
      ['text%2Fplain', 'text%2Fhtml'],
      ['20260301T100000Z', '20270301T100000Z'],
      ['X-Amz-Security-Token=token', 'X-Amz-Security-Token=other'],
    ] as const) {
      const swapped = accessLink.replaceAll(part, replacement);
      expect(swapped).not.toBe(accessLink);
      expect([part, hasValidSignature(swapped, sessionOfAnHour)]).toEqual([part, false]);
    }
    expect(hasValidSignature(accessLink, { ...sessionOfAnHour, secretAccessKey: 'other' })).toBe(false);
  });

  test('makes S3 respond with the requested file name and content type', async () => {
    const { accessLink } = await linksWith().create({ ...request, filename: 'a ü.md' });
    const { searchParams } = new URL(accessLink);
    const contentDisposition = `attachment; filename="a ?.md"; filename*=UTF-8''a%20%C3%BC.md`;
    expect(searchParams.get('response-content-disposition')).toBe(contentDisposition);
    expect(searchParams.get('response-content-type')).toBe('text/plain');
  });
});

describe('expires', () => {
  test('is the moment at which S3 starts to reject the link, less than a second before the requested end', async () => {
    const lives = fc.integer({ min: 1, max: 43_200 });
    await fc.assert(
      fc.asyncProperty(lives, fc.nat(999), async (validForSeconds, millisecond) => {
        const at = new Date(Date.parse('2026-03-01T10:00:00.000Z') + millisecond);
        const requestedEnd = at.getTime() + validForSeconds * 1000;
        const { accessLink, expires } = await linksWith({ now: () => at }).create({ ...request, validForSeconds });
        expect(expires).toBe(endOf(accessLink));
        expect(expires).toBeLessThanOrEqual(requestedEnd);
        expect(expires).toBeGreaterThan(requestedEnd - 1000); // a signature's date has whole seconds
      }),
      { numRuns: 500 },
    );
  });

  test('no link is signed if no session outlasts it', async () => {
    expect(await linksWith({ credentialsFor: async () => undefined }).sign(request)).toBeUndefined();
  });

  test('the lifetime of the link is passed to credentialsFor', async () => {
    const requestedSeconds: number[] = [];
    const credentialsFor = async (seconds: number) => {
      requestedSeconds.push(seconds);
      return sessionOfAnHour;
    };
    await linksWith({ credentialsFor }).create({ ...request, validForSeconds: 77 });
    expect(requestedSeconds).toEqual([77]);
  });
});

test.each([
  [{ region: 'eu-west-1' }, 'https://transcripts.s3.eu-west-1.amazonaws.com/a.md'],
  [{ region: 'cn-north-1' }, 'https://transcripts.s3.cn-north-1.amazonaws.com.cn/a.md'],
  [{ endpoint: 'http://127.0.0.1:4566' }, 'http://127.0.0.1:4566/transcripts/a.md'],
  [{ endpoint: 'https://s3.example.com' }, 'https://s3.example.com/transcripts/a.md'],
])('with the options %j, a link has the address %s', async (options, address) => {
  const { accessLink } = await linksWith(options).create(request);
  expect(accessLink.split('?')[0]).toBe(address);
  expect(hasValidSignature(accessLink, sessionOfAnHour)).toBe(true);
});
