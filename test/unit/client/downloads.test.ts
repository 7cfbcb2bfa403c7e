import { expect, test } from 'vitest';
import { Roomscribe } from '#client/index.ts';
import { answerOf, type Scripted, scriptedFetch } from '../../support/client/scripted-fetch.ts';

const link = answerOf(200, { accessLink: 'https://files.example/t-1.md?signed', expires: 1 });
const s3Error = (status: number) => new Response('<Error><Code>Any</Code></Error>', { status });

function clientWith(...script: readonly Scripted[]) {
  const { fetch, sent } = scriptedFetch(...script);
  const { transcriptions } = new Roomscribe({ apiUrl: 'https://api.example', token: 't', fetch, maxRetries: 1 });
  return { transcriptions, sent };
}

test('a download fetches the file without the token', async () => {
  const { transcriptions, sent } = clientWith(link, new Response('# Transcript'));
  expect(await transcriptions.downloadText('t-1', { format: 'md' })).toBe('# Transcript');
  expect(sent.map(({ url }) => url.href)).toEqual([
    'https://api.example/v1/transcriptions/t-1/access-link?format=md&validForSeconds=900',
    'https://files.example/t-1.md?signed',
  ]);
  expect(sent[1]?.headers.get('authorization')).toBeNull();
});

test.each([
  [404, { name: 'NotFoundError', code: 'transcript_not_found' }],
  [403, { name: 'ConnectionError', code: 'unexpected_answer', message: 'The storage of the file answered 403.' }],
])('a %i from the storage becomes an error of its own', async (status, expected) => {
  const { transcriptions } = clientWith(link, s3Error(status));
  await expect(transcriptions.download('t-1')).rejects.toMatchObject(expected);
});

test('a 503 from the storage names the storage, and not the service', async () => {
  const { transcriptions } = clientWith(link, s3Error(503), s3Error(503), s3Error(503));
  const message = 'The storage of the file answered 503.';
  await expect(transcriptions.download('t-1', { maxRetries: 0 })).rejects.toMatchObject({ message });
});

test('a download ends if its signal is aborted', async () => {
  const { transcriptions } = clientWith(link, 'silence');
  const stop = new AbortController();
  const call = transcriptions.download('t-1', { signal: stop.signal });
  setTimeout(() => stop.abort('enough'), 10);
  await expect(call).rejects.toBe('enough');
});

test('a download rejects a document that is not JSON', async () => {
  const { transcriptions } = clientWith(link, new Response('<html>'));
  await expect(transcriptions.downloadDocument('t-1')).rejects.toMatchObject({ code: 'unexpected_answer' });
});

test('a download retries a 500 from the storage', async () => {
  const { transcriptions } = clientWith(link, s3Error(500), new Response('# Transcript'));
  expect(await transcriptions.downloadText('t-1')).toBe('# Transcript');
});
