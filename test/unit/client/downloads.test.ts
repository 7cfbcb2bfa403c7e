import { expect, test } from 'vitest';
import { Roomscribe } from '../../../client/index.ts';
import { answerOf, type Scripted, scriptedFetch } from '../../support/scripted-fetch.ts';

const link = answerOf(200, { accessLink: 'https://files.example/t-1.md?signed', expires: 1 });
const s3Error = (status: number) => new Response('<Error><Code>Any</Code></Error>', { status });

function clientWith(...script: readonly Scripted[]) {
  const { fetch, sent } = scriptedFetch(...script);
  const { transcriptions } = new Roomscribe({ apiUrl: 'https://api.example', token: 't', fetch, maxRetries: 1 });
  return { transcriptions, sent };
}

test('the file is fetched without the token', async () => {
  const { transcriptions, sent } = clientWith(link, new Response('# Transcript'));
  expect(await transcriptions.downloadText('t-1', { format: 'md' })).toBe('# Transcript');
  expect(sent.map(({ url }) => url.href)).toEqual([
    'https://api.example/v1/transcriptions/t-1/access-link?format=md',
    'https://files.example/t-1.md?signed',
  ]);
  expect(sent[1]?.headers.get('authorization')).toBeNull();
});

test.each([
  [404, { name: 'NotFoundError', code: 'transcript_not_found' }],
  [403, { name: 'ConnectionError', code: 'unexpected_answer' }],
])('a %i of the storage is none of the API', async (status, expected) => {
  const { transcriptions } = clientWith(link, s3Error(status));
  await expect(transcriptions.download('t-1')).rejects.toMatchObject(expected);
});

test('ends with the signal', async () => {
  const { transcriptions } = clientWith(link, 'silence');
  const stop = new AbortController();
  const call = transcriptions.download('t-1', { signal: stop.signal });
  setTimeout(() => stop.abort('enough'), 10);
  await expect(call).rejects.toBe('enough');
});

test('a file that is no JSON is no document', async () => {
  const { transcriptions } = clientWith(link, new Response('<html>'));
  await expect(transcriptions.downloadDocument('t-1')).rejects.toMatchObject({ code: 'unexpected_answer' });
});

test('a 500 of the storage passes', async () => {
  const { transcriptions } = clientWith(link, s3Error(500), new Response('# Transcript'));
  expect(await transcriptions.downloadText('t-1')).toBe('# Transcript');
});
