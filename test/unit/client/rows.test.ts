import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConnectionError, Roomscribe } from '#client/index.ts';
import { recordsOf } from '#client/rows.ts';
import { answerOf, type Scripted, scriptedFetch } from '../../support/client/scripted-fetch.ts';

function clientWith(script: readonly Scripted[], maxRetries = 0) {
  const { fetch, sent } = scriptedFetch(...script);
  return { ...new Roomscribe({ apiUrl: 'https://api.example', token: 't', fetch, maxRetries }), sent };
}

function csvAnswer(text: string, cursor?: string): Response {
  const headers = { 'content-type': 'text/csv; charset=utf-8', ...(cursor && { 'x-next-cursor': cursor }) };
  return new Response(text, { headers });
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  return texts.join('');
}

describe('a list as text', () => {
  test('has all pages of CSV below one header line', async () => {
    const { insights, sent } = clientWith([csvAnswer('a,b\r\n1,"x\r\n""y"""\r\n', 'next'), csvAnswer('a,b\r\n2,\r\n')]);
    expect(await textOf(insights.listRooms({ limit: 1 }).text('csv'))).toBe('a,b\r\n1,"x\r\n""y"""\r\n2,\r\n');
    expect(sent.map(({ url, headers }) => [url.search, headers.get('accept')])).toEqual([
      ['?limit=1', 'text/csv'],
      ['?limit=1&cursor=next', 'text/csv'],
    ]);
  });

  test('has no header line after a cursor, so that it continues an earlier text', async () => {
    const { transcriptions } = clientWith([csvAnswer('a\r\n2\r\n')]);
    expect(await textOf(transcriptions.list({ cursor: 'c' }).text('csv'))).toBe('2\r\n');
  });

  test('has the lines of NDJSON, and of nothing in an empty list', async () => {
    const ndjson = (text: string) => new Response(text, { headers: { 'content-type': 'application/x-ndjson' } });
    const { insights } = clientWith([ndjson('{"a":1}\n{"a":2}\n'), ndjson('')]);
    const list = insights.listParticipants({ externalId: 'x' });
    expect(await list.rowPage('ndjson')).toEqual({ header: '', rows: ['{"a":1}\n', '{"a":2}\n'], cursor: null });
    expect((await list.rowPage('ndjson')).rows).toEqual([]);
  });

  test('is retried after a temporary failure', async () => {
    const { insights, sent } = clientWith([answerOf(503, {}, { 'retry-after': '0' }), csvAnswer('a\r\n1\r\n')], 1);
    const page = await insights.getParticipantRows({ roomSessionId: 's', participantId: 'p' }, 'csv');
    expect([page.rows, sent.length]).toEqual([['1\r\n'], 2]);
  });

  test('is an error if the deployment answers in another format', async () => {
    const { insights } = clientWith([answerOf(200, { results: [], cursor: null })]);
    const asked = insights.listRooms().rowPage('csv');
    await expect(asked).rejects.toThrow(ConnectionError);
    await expect(asked).rejects.toThrow('The answer is application/json instead of text/csv.');
  });
});

test('CSV is divided into its records, whatever its cells contain', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '""', ',', '\r', '\n', '\r\n'), maxLength: 6 });
  const record = fc
    .array(
      fc.oneof(
        cell.map((text) => `"${text}"`),
        fc.constantFrom('', '1', 'a b'),
      ),
      { minLength: 1 },
    )
    .map((cells) => `${cells.join(',')}\r\n`);
  fc.assert(
    fc.property(fc.array(record), (records) => {
      expect(recordsOf('csv', records.join(''))).toEqual(records);
    }),
  );
  expect(recordsOf('csv', `"${'x'.repeat(5_000_000)}`)).toEqual([]); // ends at once for a text that was cut off
});
