import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AccessLinksOptions, accessLinks } from '#shared/adapters/s3/access-links.ts';
import { hasValidSignature } from '../../support/signature-verifier.ts';

const now = new Date('2026-03-01T10:00:00.750Z');
const session = (expiration: Date) => ({
  accessKeyId: 'ASIAEXAMPLE',
  secretAccessKey: 'secret/with+signs=',
  sessionToken: 'token/with+signs==',
  expiration,
});
const sessionOfAnHour = session(new Date('2026-03-01T11:00:00.500Z'));
const request = { key: 'a.md', validForSeconds: 600, contentType: 'text/plain', contentDisposition: 'attachment' };

function linksWith(options: Partial<AccessLinksOptions> = {}) {
  return accessLinks({
    bucket: 'transcripts',
    region: 'eu-west-1',
    endpoint: undefined,
    credentialsFor: async () => sessionOfAnHour,
    now: () => now,
    ...options,
  });
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
const requests = fc.record({
  key: keys,
  validForSeconds: fc.integer({ min: 1, max: 43_200 }),
  contentType: fc.constantFrom('text/vtt; charset=utf-8', 'application/json'),
  contentDisposition: fc.constantFrom('attachment', `attachment; filename="a b.md"; filename*=UTF-8''%C3%BC.md`),
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
          expect(hasValidSignature(accessLink, credentials)).toBe(true);
          expect(decodeURIComponent(new URL(accessLink).pathname)).toBe(`/${randomRequest.key}`);
        },
      ),
      { numRuns: 1_000 },
    );
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
    const contentDisposition = `attachment; filename="a b.md"; filename*=UTF-8''%C3%BC.md`;
    const { accessLink } = await linksWith().create({ ...request, contentDisposition });
    const { searchParams } = new URL(accessLink);
    expect(searchParams.get('response-content-disposition')).toBe(contentDisposition);
    expect(searchParams.get('response-content-type')).toBe('text/plain');
  });
});

describe('expires', () => {
  test('is the moment at which S3 starts to reject the link, never after the credentials expire', async () => {
    const lives = fc.integer({ min: 1, max: 43_200 });
    const leftMs = fc.integer({ min: 2_000, max: 43_200_000 });
    await fc.assert(
      fc.asyncProperty(lives, leftMs, fc.nat(999), async (validForSeconds, left, millisecond) => {
        const at = new Date(Date.parse('2026-03-01T10:00:00.000Z') + millisecond);
        const credentials = session(new Date(at.getTime() + left));
        const { accessLink, expires } = await linksWith({
          credentialsFor: async () => credentials,
          now: () => at,
        }).create({
          ...request,
          validForSeconds,
        });
        expect(expires).toBe(endOf(accessLink));
        expect(expires).toBeLessThanOrEqual(credentials.expiration.getTime());
        expect(expires).toBeLessThanOrEqual(at.getTime() + validForSeconds * 1000);
        // A signature's date has whole seconds, so the link loses less than one second.
        expect(expires).toBeGreaterThan(Math.min(at.getTime() + validForSeconds * 1000, at.getTime() + left) - 1000);
      }),
      { numRuns: 500 },
    );
  });

  test('is limited to the remaining lifetime of the credentials', async () => {
    const { accessLink, expires } = await linksWith().create({ ...request, validForSeconds: 43_200 });
    expect(new Date(expires).toISOString()).toBe('2026-03-01T11:00:00.000Z');
    expect(new URL(accessLink).searchParams.get('X-Amz-Expires')).toBe('3600');
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
