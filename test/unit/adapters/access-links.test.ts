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
const inAnHour = session(new Date('2026-03-01T11:00:00.500Z'));
const request = { key: 'a.md', validForSeconds: 600, contentType: 'text/plain', contentDisposition: 'attachment' };

function links(options: Partial<AccessLinksOptions> = {}) {
  return accessLinks({
    bucket: 'transcripts',
    region: 'eu-west-1',
    endpoint: undefined,
    credentialsFor: async () => inAnHour,
    now: () => now,
    ...options,
  });
}

/** When S3 begins to refuse the link, as it stands in the link. */
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

describe('a link', () => {
  test('is signed as a signer that is not ours would sign it: 1000 of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        requests,
        fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
        async (of, at) => {
          const credentials = session(new Date(at.getTime() + 3_600_000));
          const { accessLink } = await links({ credentialsFor: async () => credentials, now: () => at }).create(of);
          expect(hasValidSignature(accessLink, credentials)).toBe(true);
          expect(decodeURIComponent(new URL(accessLink).pathname)).toBe(`/${of.key}`);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('is for one object, life, host and name: any other has another signature', async () => {
    const { accessLink } = await links().create(request);
    expect(hasValidSignature(accessLink, inAnHour)).toBe(true);
    for (const [what, by] of [
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
      const swapped = accessLink.replaceAll(what, by);
      expect(swapped).not.toBe(accessLink);
      expect([what, hasValidSignature(swapped, inAnHour)]).toEqual([what, false]);
    }
    expect(hasValidSignature(accessLink, { ...inAnHour, secretAccessKey: 'other' })).toBe(false);
  });

  test('makes S3 answer with the name and the type asked for', async () => {
    const contentDisposition = `attachment; filename="a b.md"; filename*=UTF-8''%C3%BC.md`;
    const { accessLink } = await links().create({ ...request, contentDisposition });
    const { searchParams } = new URL(accessLink);
    expect(searchParams.get('response-content-disposition')).toBe(contentDisposition);
    expect(searchParams.get('response-content-type')).toBe('text/plain');
  });
});

describe('expires', () => {
  test('is the moment at which S3 begins to refuse the link, and never past its credentials', async () => {
    const lives = fc.integer({ min: 1, max: 43_200 });
    const leftMs = fc.integer({ min: 2_000, max: 43_200_000 });
    await fc.assert(
      fc.asyncProperty(lives, leftMs, fc.nat(999), async (validForSeconds, left, millisecond) => {
        const at = new Date(Date.parse('2026-03-01T10:00:00.000Z') + millisecond);
        const credentials = session(new Date(at.getTime() + left));
        const { accessLink, expires } = await links({ credentialsFor: async () => credentials, now: () => at }).create({
          ...request,
          validForSeconds,
        });
        expect(expires).toBe(endOf(accessLink));
        expect(expires).toBeLessThanOrEqual(credentials.expiration.getTime());
        expect(expires).toBeLessThanOrEqual(at.getTime() + validForSeconds * 1000);
        // It loses no more than the parts of a second that a signature's date cannot have.
        expect(expires).toBeGreaterThan(Math.min(at.getTime() + validForSeconds * 1000, at.getTime() + left) - 1000);
      }),
      { numRuns: 500 },
    );
  });

  test('is cut to what the credentials have left', async () => {
    const { accessLink, expires } = await links().create({ ...request, validForSeconds: 43_200 });
    expect(new Date(expires).toISOString()).toBe('2026-03-01T11:00:00.000Z');
    expect(new URL(accessLink).searchParams.get('X-Amz-Expires')).toBe('3600');
  });

  test('the credentials are asked for by the life of the link', async () => {
    const asked: number[] = [];
    const credentialsFor = async (seconds: number) => {
      asked.push(seconds);
      return inAnHour;
    };
    await links({ credentialsFor }).create({ ...request, validForSeconds: 77 });
    expect(asked).toEqual([77]);
  });
});

test.each([
  [{ region: 'eu-west-1' }, 'https://transcripts.s3.eu-west-1.amazonaws.com/a.md'],
  [{ region: 'cn-north-1' }, 'https://transcripts.s3.cn-north-1.amazonaws.com.cn/a.md'],
  [{ endpoint: 'http://127.0.0.1:4566' }, 'http://127.0.0.1:4566/transcripts/a.md'],
  [{ endpoint: 'https://s3.example.com' }, 'https://s3.example.com/transcripts/a.md'],
])('with %j it leads to %s', async (options, address) => {
  const { accessLink } = await links(options).create(request);
  expect(accessLink.split('?')[0]).toBe(address);
  expect(hasValidSignature(accessLink, inAnHour)).toBe(true);
});
