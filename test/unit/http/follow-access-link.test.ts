import { beforeEach, expect, test, vi } from 'vitest';
import { createHandler } from '#functions/api/links/follow-access-link/handler.ts';
import type { LinkToTranscript } from '#shared/domain/links/link-to-transcript.ts';
import type { SigningRequest } from '#shared/use-cases/links/ports.ts';
import { httpEvent } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';
import { organizationId, transcriptionRecord, uuid } from '../../support/operations/records.ts';

const token = 'q0yZ7m1N5pV4dKx2Rj8bTf6sWc3uEh9gLaPoIiUyTrE';
const link: LinkToTranscript = {
  organizationId: organizationId(),
  transcriptionId: uuid(1),
  createdAt: '2026-03-02T09:00:00.000Z',
  validUntil: '2026-03-02T21:00:00.000Z',
};
const sign = vi.fn(async ({ method, validForSeconds }: SigningRequest) => ({
  accessLink: `https://s3.example/canary-signature/${method}/${validForSeconds}`,
  expires: 1,
}));
const count = vi.fn();
let now = new Date();
const handler = createHandler({
  transcriptions: { find: async () => transcriptionRecord({ state: 'ready' }) },
  links: { find: async (wanted) => (wanted === token ? link : undefined) },
  signer: { sign },
  transcriptsBucket: 'transcripts',
  rateLimiter: { count },
  nameOf: (of) => `hash of ${of.length}`,
  now: () => now,
});
const get = (of: string, method = 'GET') =>
  runEndpoint(handler, httpEvent({ params: { token: of }, claims: {}, method }));

let lines: () => readonly LogLine[];
beforeEach(() => {
  vi.restoreAllMocks();
  now = new Date('2026-03-02T09:00:00.000Z');
  lines = captureLogLines().lines;
  count.mockReset().mockResolvedValue({ isExceeded: false, limit: 120, remaining: 119, resetsAt: 1 });
});

test.each(['GET', 'HEAD'])('%s redirects for a minute to a link of S3 for the same method', async (method) => {
  expect(await get(token, method)).toEqual({
    statusCode: 302,
    headers: {
      location: `https://s3.example/canary-signature/${method}/60`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': expect.any(String),
      'x-content-type-options': 'nosniff',
    },
    body: undefined,
  });
  expect(count).toHaveBeenCalledWith('follow-access-link', 'hash of 43', 120, 1);
});

test.each([
  ['2026-03-02T20:59:00.000Z', 60],
  ['2026-03-02T20:59:00.001Z', 60],
  ['2026-03-02T20:59:29.500Z', 31],
  ['2026-03-02T20:59:59.999Z', 1],
])('a link that is opened at %s ends with the link of S3, of %i s', async (time, seconds) => {
  now = new Date(time);
  expect((await get(token)).headers.location).toMatch(new RegExp(`/GET/${seconds}$`));
});

test('an unknown link and a malformed one get the same answer, and are not counted', async () => {
  const unknown = await get('A'.repeat(43));
  const malformed = await get('canary');
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  expect(unknown).toMatchObject({ statusCode: 404, headers, body: { code: 'link_not_found' } });
  expect(malformed).toEqual(unknown);
  expect(count).not.toHaveBeenCalled();
});

test('a link that is opened too often in a minute is refused with Retry-After', async () => {
  count.mockResolvedValue({ isExceeded: true, limit: 120, remaining: 0, resetsAt: Date.now() / 1000 + 30 });
  const { statusCode, headers } = await get(token);
  expect([statusCode, Number(headers['retry-after']) > 0]).toEqual([429, true]);
});

test('the log has the organization and the transcription, and neither token nor signature', async () => {
  await get(token);
  await get('A'.repeat(43));
  expect(lines().map(({ facts }) => [facts.statusCode, facts.organizationId, facts.transcriptionId])).toEqual([
    [302, 'acme', uuid(1)],
    [404, undefined, undefined],
  ]);
  for (const { text } of lines()) expect(text).not.toMatch(new RegExp(`${token}|A{43}|canary`));
});
