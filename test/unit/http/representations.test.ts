import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { columnsOf, rowOf } from '#shared/contracts/common/columns.ts';
import type { Endpoint } from '#shared/contracts/common/endpoint.ts';
import { pageOf } from '#shared/contracts/common/fields.ts';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { TranscriptionNotFound } from '#shared/runtime/errors.ts';
import { csvObjects, parseCsv } from '../../support/http/csv.ts';
import { admission, httpEvent } from '../../support/http/http-events.ts';
import { captureLogLines } from '../../support/log-lines.ts';

const Row = z.object({
  name: z.nullable(z.string()),
  count: z.number(),
  isNew: z.optional(z.boolean()),
  tags: z.array(z.string()),
  failure: z.optional(z.object({ code: z.string(), of: z.nullable(z.object({ id: z.string() })) })),
});
type Row = z.infer<typeof Row>;
const definition = {
  operationId: 'list-fixtures',
  tag: 'insights',
  method: 'GET',
  path: '/v1/fixture',
  right: 'read',
  points: 1,
  successStatus: 200,
  response: pageOf(Row),
  narrowedBy: ['limit'],
} as const satisfies Endpoint;
const header = 'name,count,isNew,tags,failure.code,failure.of.id\r\n';
const row = (name: string | null, more: Partial<Row> = {}): Row => ({ name, count: 1, tags: [], ...more });

beforeEach(() => {
  captureLogLines();
});

async function answer(rows: readonly Row[], headers: Record<string, string>, cursor: string | null = null) {
  const handler = endpoint(definition, admission, async () => ({ body: { results: [...rows], cursor } }));
  const answered = await handler(httpEvent({ headers }), { getRemainingTimeInMillis: () => 29_000 } as never);
  return { ...answered, headers: answered.headers ?? {}, text: String(answered.body) };
}

async function csvOf(rows: readonly Row[]): Promise<string> {
  return (await answer(rows, { accept: 'text/csv' })).text;
}

describe('the media type of a list', () => {
  const json = 'application/json';
  const csv = 'text/csv; charset=utf-8; header=present';
  const ndjson = 'application/x-ndjson';

  test.each([
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['application/*', json],
    ['application/json, text/plain, */*', json],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json],
    ['application/json, text/csv, application/x-ndjson', json],
    ['text/csv', csv],
    ['TEXT/CSV', csv],
    ['text/*', csv],
    ['text/csv;q=0.5, application/json;q=0.4', csv],
    ['text/csv, */*;q=0.1', csv],
    ['application/x-ndjson', ndjson],
    ['text/csv;q=0.2, application/x-ndjson;q=0.3', ndjson],
    ['application/json;q=0, */*', csv],
    ['text/csv;q=0', json],
    ['text/html', json],
    ['text/csv;q=nonsense', json],
    [';;,=', json],
  ])('for Accept: %s is %s', async (accept, expected) => {
    const { statusCode, headers } = await answer([], accept === undefined ? {} : { accept });
    expect([statusCode, headers['content-type'], headers.vary]).toEqual([200, expected, 'accept, accept-encoding']);
  });
});

describe('CSV', () => {
  test('has the columns of the schema, and a line that ends in CR LF for each row', async () => {
    const failure = { code: 'no_speech', of: { id: '7' } };
    expect(await csvOf([row('a', { count: -1.5, isNew: true, tags: ['x', 'y'], failure }), row(null)])).toBe(
      `${header}a,-1.5,true,"[""x"",""y""]",no_speech,7\r\n,1,,"[]",,\r\n`,
    );
    expect(await csvOf([])).toBe(header);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '＋1', '－1', '＠a'])(
    'puts an apostrophe before the text %j, which a spreadsheet reads as a formula',
    async (name) => {
      expect(csvObjects(await csvOf([row(name)]))).toMatchObject([{ name: `'${name}`, count: '1' }]);
    },
  );

  test.each([
    ['great;=HYPERLINK("x")', 'great;\'=HYPERLINK("x")'],
    ['fine\n@SUM(A1)', "fine\n'@SUM(A1)"],
    ['a\r\n-1;+2', "a\r\n'-1;'+2"],
    ['\t=1', "'\t'=1"],
  ])('puts an apostrophe into %j, where a spreadsheet that splits the text reads a formula', async (name, expected) => {
    expect(csvObjects(await csvOf([row(name)]))).toMatchObject([{ name: expected }]);
  });

  test('has no semicolon in an array, because a spreadsheet could split it there', async () => {
    const [, line = ''] = (await csvOf([row('a', { tags: ['x;=1', ';'] })])).split('\r\n');
    expect(line).not.toContain(';');
  });

  test('leaves other texts and all numbers unchanged', async () => {
    const rows = [row('a=1', { count: -2 }), row("'quoted'"), row(' =1'), row('/room'), row('', { count: 1e21 })];
    expect(csvObjects(await csvOf(rows)).map(({ name, count }) => [name, count])).toEqual([
      ['a=1', '-2'],
      ["'quoted'", '1'],
      [' =1', '1'],
      ['/room', '1'],
      ['', '1e+21'],
    ]);
    expect(await csvOf([row('')])).toContain('\r\n"",1'); // null is an empty cell
  });

  test('can be parsed back, whatever the texts contain', async () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ';', "'", 'é', '😀'), maxLength: 8 });
    const property = fc.asyncProperty(fc.array(fc.tuple(texts, fc.array(texts, { maxLength: 3 }))), async (given) => {
      const [names, ...rows] = parseCsv(await csvOf(given.map(([name, tags]) => row(name, { tags }))));
      expect(names).toHaveLength(6);
      expect(rows.map(([name = '', , , tags = '']) => [name, JSON.parse(tags)])).toEqual(
        given.map(([name, tags]) => [/^[\r\n]/.test(name) ? `'${name}` : name, tags]),
      );
    });
    await fc.assert(property, { numRuns: 200 });
  });
});

test('NDJSON has the elements of the JSON, one in each line', async () => {
  const rows = [row('a\nb\u2028"'), row(null, { tags: ['=1'] })];
  const { text } = await answer(rows, { accept: 'application/x-ndjson' });
  expect(text).toBe(rows.map((each) => `${JSON.stringify(each)}\n`).join(''));
  expect((await answer([], { accept: 'application/x-ndjson' })).text).toBe('');
});

test.each(['text/csv', 'application/x-ndjson'])('a page as %s has its cursor in a header', async (accept) => {
  const { headers } = await answer([row('a')], { accept }, 'next');
  expect(headers['x-next-cursor']).toBe('next');
  expect((await answer([row('a')], { accept })).headers).not.toHaveProperty('x-next-cursor');
  expect((await answer([row('a')], {}, 'next')).headers).not.toHaveProperty('x-next-cursor');
});

test.each(['text/csv', 'application/x-ndjson'])(
  'long arrays as %s are the same in pieces, and compressed',
  async (accept) => {
    const rows = [row('short'), row('long', { tags: Array(25_000).fill('a"b') }), row('last')];
    const { text } = await answer(rows, { accept });
    const read =
      accept === 'text/csv'
        ? csvObjects(text).map(({ name, tags = '' }) => [name, JSON.parse(tags).length])
        : text
            .trimEnd()
            .split('\n')
            .map((line) => [JSON.parse(line).name, JSON.parse(line).tags.length]);
    expect(read).toEqual([
      ['short', 0],
      ['long', 25_000],
      ['last', 0],
    ]);
    const { headers, text: packed } = await answer(rows, { accept, 'accept-encoding': 'gzip' });
    expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'accept, accept-encoding']);
    expect(gunzipSync(Buffer.from(packed, 'base64')).toString()).toBe(text);
  },
);

test('rows that are too large for one answer are a 400 in JSON that names how to narrow it', async () => {
  const { statusCode, headers, text } = await answer([row('x'.repeat(6_000_000))], { accept: 'text/csv' });
  expect([statusCode, headers['content-type']]).toEqual([400, 'application/json']);
  expect(JSON.parse(text)).toMatchObject({ code: 'invalid_request', issues: [{ path: 'limit' }] });
});

test('errors are JSON, whatever the client accepts', async () => {
  const handler = endpoint(definition, admission, async () => {
    throw new TranscriptionNotFound();
  });
  const event = httpEvent({ headers: { accept: 'text/csv' } });
  const { headers, body } = await handler(event, { getRemainingTimeInMillis: () => 29_000 } as never);
  expect([headers?.['content-type'], JSON.parse(body ?? '').code]).toEqual([
    'application/json',
    'transcription_not_found',
  ]);
});

test('every list of the contract, and participant detail, has rows, and nothing else does', () => {
  const withRows = endpointList.filter(({ response }) => rowOf(response)).map(({ operationId }) => operationId);
  expect(withRows).toEqual([
    'list-transcriptions',
    'list-room-insights',
    'list-room-session-insights',
    'list-participants',
    'get-participant',
    'get-session-network',
    'list-usage',
    'list-refused-events',
    'list-webhooks',
    'list-webhook-deliveries',
    'list-notices',
  ]);
  const names = ({ response }: Endpoint) => {
    const row = rowOf(response);
    return row && columnsOf(row).map((column) => column.join('.'));
  };
  expect(names(insightEndpoints.getParticipant)).toEqual(
    expect.arrayContaining(['timeStamp', 'samples.packetLossSend', 'samples.bitrateRecv', 'events']),
  );
  expect(names(transcriptionEndpoints.listTranscriptions)).toEqual(
    expect.arrayContaining(['transcriptionId', 'failure.code', 'failure.message']),
  );
  expect(names(insightEndpoints.listParticipants)).toEqual(expect.arrayContaining(['participantId', 'tags']));
  expect(names(webhookEndpoints.listWebhooks)).toEqual(expect.arrayContaining(['url', 'types', 'replay.state']));
  const ofNotices = names(webhookEndpoints.listNotices) ?? [];
  expect(ofNotices.slice(0, 5)).toEqual(['id', 'apiVersion', 'createdAt', 'type', 'data.revision']);
  expect(ofNotices).toEqual(expect.arrayContaining(['data.failureCode', 'data.completeness.state', 'data.webhookId']));
  expect(new Set(ofNotices).size).toBe(ofNotices.length);
});
