import { beforeAll, describe, expect, it } from 'vitest';
import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { AccessLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, codeOf, issuePaths, read } from '../../support/http/checked-api.ts';
import { endpoints, organization } from '../../support/machine.ts';
import { readyTranscription } from '../../support/media/recordings.ts';

const acme = organization();
const call = clientOf(acme);
let link: string;
let transcriptionId: string;

beforeAll(async () => {
  const ready = await readyTranscription(acme);
  link = `${ready.path}/access-link`;
  transcriptionId = ready.transcriptionId;
});

/** The time at which a presigned URL expires, read from its signature. */
function signedEnd({ searchParams }: URL): number {
  const [, year, month, day, hours, minutes, seconds] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(searchParams.get('X-Amz-Date') ?? '') ?? [];
  const signedAt = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return signedAt + Number(searchParams.get('X-Amz-Expires')) * 1000;
}

describe('an access link', () => {
  it('of S3 states, to the second, when its signature expires', async () => {
    for (const seconds of [1, 600, 3540]) {
      const { accessLink, expires } = read(AccessLink, await call('GET', `${link}?validForSeconds=${seconds}`));
      expect(new URL(accessLink).searchParams.get('X-Amz-Expires')).toBe(String(seconds));
      expect(expires).toBe(signedEnd(new URL(accessLink)));
    }
  });

  it.each([
    ['', 3600],
    ['?validForSeconds=3541', 3541],
    ['?validForSeconds=43200', 43_200],
  ])('of the API lives as long as was asked: %s', async (query, seconds) => {
    const before = Date.now();
    const { accessLink, expires } = read(AccessLink, await call('GET', `${link}${query}`));
    expect(accessLink).toMatch(new RegExp(`^${endpoints.apiUrl}/v1/links/[A-Za-z0-9_-]{43}$`));
    expect(expires).toBeGreaterThanOrEqual(before + seconds * 1000);
    expect(expires).toBeLessThanOrEqual(Date.now() + seconds * 1000);
  });

  it('points to Markdown if the request names no format', async () => {
    const { accessLink } = read(AccessLink, await call('GET', link));

    expect(await (await fetch(accessLink)).text()).toMatch(/^# Transcript of \/daily\n/);
  });

  it.each(transcriptFormats)('makes a browser save %s under the file name of the transcription', async (format) => {
    const { accessLink } = read(AccessLink, await call('GET', `${link}?format=${format}&validForSeconds=60`));

    const { searchParams } = new URL(accessLink);
    expect(searchParams.get('response-content-disposition')).toBe(`attachment; filename=${transcriptionId}.${format}`);
    expect(searchParams.get('response-content-type')).toMatch(/^(text|application)\//);
  });

  it('is signed with temporary credentials for one object, one host and its response headers', async () => {
    const { accessLink } = read(AccessLink, await call('GET', `${link}?validForSeconds=60`));

    const { origin, pathname, searchParams } = new URL(accessLink);
    expect(origin).toBe(endpoints.s3Url);
    expect(decodeURIComponent(pathname)).toBe(
      `/${endpoints.buckets.transcripts}/generated/${acme}/${transcriptionId}/${transcriptionId}.md`,
    );
    expect(searchParams.get('X-Amz-SignedHeaders')).toBe('host');
    expect(searchParams.get('X-Amz-Security-Token')).not.toBeNull();
    expect(searchParams.get('X-Amz-Credential')).not.toContain('test');
  });
});

describe('a request for an access link', () => {
  const seconds = ['0', '-5', '1.5', 'NaN', '43201', '', '1e3', '10abc', '+60', '0x10', '60,60', 'Infinity', '٦٠'];
  it.each(seconds)('is rejected with validForSeconds=%s', async (text) => {
    const answer = await call('GET', `${link}?validForSeconds=${encodeURIComponent(text)}`);

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['validForSeconds']]);
  });

  it.each(['1', '43200', '0060'])('is accepted with validForSeconds=%s', async (text) => {
    expect((await call('GET', `${link}?validForSeconds=${text}`)).status).toBe(200);
  });

  it.each(['pdf', 'MD', '', 'md,txt', '__proto__', 'json ', '../md'])('is rejected with format=%s', async (text) => {
    const answer = await call('GET', `${link}?format=${encodeURIComponent(text)}`);

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['format']]);
  });

  it('is rejected with the names of all invalid parameters', async () => {
    const answer = await call('GET', `${link}?validForSeconds=0&format=pdf&as=file`);

    expect(codeOf(answer)).toBe('invalid_request');
    expect(issuePaths(answer).toSorted()).toEqual(['as', 'format', 'validForSeconds']);
  });

  it('serves the file with the requested headers, and rejects the link without its signature', async () => {
    const { accessLink } = read(AccessLink, await call('GET', `${link}?format=vtt&validForSeconds=60`));
    const { headers } = await fetch(accessLink);
    expect(headers.get('content-disposition')).toBe(`attachment; filename=${transcriptionId}.vtt`);
    expect(headers.get('content-type')).toBe('text/vtt; charset=utf-8');

    const { origin, pathname } = new URL(accessLink);
    expect((await fetch(`${origin}${pathname}`)).status).toBe(403);
  });

  it('rejects the link after the stated expiry', async () => {
    const { accessLink, expires } = read(AccessLink, await call('GET', `${link}?validForSeconds=1`));
    await eventually(async () => expect((await fetch(accessLink)).status).toBe(403));
    expect(Date.now()).toBeGreaterThanOrEqual(expires);
  });
});
