import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientOf, codeOf, issuePaths } from '../../support/http/checked-api.ts';
import { organization } from '../../support/machine.ts';

const acme = organization();
const call = clientOf(acme);
const create = '/v1/transcriptions';
const bulkDelete = '/v1/transcriptions/bulk-delete';
const megabyte = 1024 * 1024;

/** A valid body of exactly `bytes` bytes: JSON ignores the trailing spaces. */
const padded = (value: object, bytes: number) => JSON.stringify(value).padEnd(bytes, ' ');

const notJson: readonly (readonly [what: string, body: string | Buffer | undefined])[] = [
  ['nothing', undefined],
  ['no bytes', ''],
  ['text', 'recordingId'],
  ['truncated JSON', '{"recordingId":"'],
  ['two values', '{}{}'],
  ['a trailing comma', '{"recordingId":"x",}'],
  ['single quotes', "{'recordingId':'x'}"],
  ['JSON after a byte order mark', `\ufeff${JSON.stringify({ recordingId: randomUUID() })}`],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ['UTF-16', Buffer.from(JSON.stringify({ recordingId: randomUUID() }), 'utf16le')],
  ['100 000 nested lists that never close', '['.repeat(100_000)],
];

describe.each([create, bulkDelete])('POST %s', (path) => {
  it.each(notJson)('rejects %s as the body', async (_, body) => {
    const answer = await call('POST', path, { body, headers: { 'content-type': 'application/json' } });

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['body']]);
  });

  it.each(
    ['null', 'true', '5', '"text"', '[]', '[{}]', `${'['.repeat(50_000)}${']'.repeat(50_000)}`].map((json) => [
      json.slice(0, 20),
      json,
    ]),
  )('rejects %s in place of an object', async (_, body) => {
    const answer = await call('POST', path, { body });

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['body']]);
  });

  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'text/json',
    'multipart/form-data',
  ])('rejects a body of the content type %s', async (type) => {
    const answer = await call('POST', path, { body: {}, headers: { 'content-type': type } });

    expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_media_type']);
  });

  it('rejects a body of 1 MiB and one byte, and a body of 10 MiB', async () => {
    for (const bytes of [megabyte + 1, 5 * megabyte]) {
      const answer = await call('POST', path, { body: padded({}, bytes) });
      expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large']);
    }
  });

  it('rejects a body over 10 MB before it reaches a function, with or without a declared length', async () => {
    const body = padded({}, 10 * megabyte + 1);
    for (const headers of [{}, { 'content-length': undefined, 'transfer-encoding': 'chunked' }]) {
      const answer = await call('POST', path, { body, headers });
      expect([answer.status, JSON.parse(answer.text)]).toEqual([413, { message: expect.any(String) }]);
    }
  });

  it('rejects query parameters', async () => {
    const answer = await call('POST', `${path}?organizationId=x&dryRun=1`, { body: {} });

    expect(answer.status).toBe(400);
    expect(issuePaths(answer)).toEqual(expect.arrayContaining(['organizationId', 'dryRun']));
  });
});

const notIds: readonly unknown[] = [
  ...[null, 5, true, {}, [], { $gt: '' }, ['a', 'b'], '', 'abc', ' ', '../', '%00', '\0'],
  ...[randomUUID().replaceAll('-', ''), `{${randomUUID()}}`, `urn:uuid:${randomUUID()}`, ` ${randomUUID()}`],
  ...[`${randomUUID()}\n`, `${randomUUID()}0`, randomUUID().replace(/^./, '٣'), 'x'.repeat(2048), 'TENANT#x'],
];

describe('POST /v1/transcriptions', () => {
  it.each(notIds.map((id) => [JSON.stringify(id).slice(0, 50), id]))(
    'rejects %s as recordingId',
    async (_, recordingId) => {
      const answer = await call('POST', create, { body: { recordingId } });

      expect([answer.status, issuePaths(answer)]).toEqual([400, ['recordingId']]);
    },
  );

  it('rejects a body without recordingId or with a misspelled key', async () => {
    for (const body of [{}, { recordingID: randomUUID() }, JSON.parse('{"__proto__":{"recordingId":"x"}}')]) {
      const answer = await call('POST', create, { body });
      expect([answer.status, issuePaths(answer)]).toEqual([400, ['recordingId']]);
    }
  });

  it('returns 404 for an unknown recording', async () => {
    for (const recordingId of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
      const answer = await call('POST', create, { body: { recordingId } });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'recording_not_found']);
    }
  });

  it('accepts a body of exactly 1 MiB, and a content type with parameters in any case', async () => {
    const body = padded({ recordingId: randomUUID() }, megabyte);
    const answer = await call('POST', create, {
      body,
      headers: { 'content-type': 'Application/JSON ; charset=UTF-8' },
    });

    expect(codeOf(answer)).toBe('recording_not_found');
  });

  it('uses the last of two equal keys, as JSON.parse does', async () => {
    const [good, bad] = [`"recordingId":"${randomUUID()}"`, '"recordingId":"x"'];

    expect((await call('POST', create, { body: `{${bad},${good}}` })).status).toBe(404);
    expect((await call('POST', create, { body: `{${good},${bad}}` })).status).toBe(400);
  });
});

describe('POST /v1/transcriptions/bulk-delete', () => {
  it.each(notIds.map((id) => [JSON.stringify(id).slice(0, 50), id]))(
    'rejects a list that contains %s',
    async (_, id) => {
      const answer = await call('POST', bulkDelete, { body: { transcriptionIds: [randomUUID(), id, randomUUID()] } });

      expect([answer.status, issuePaths(answer)]).toEqual([400, ['transcriptionIds.1']]);
    },
  );

  const notLists = [undefined, null, {}, [], randomUUID(), { 0: randomUUID(), length: 1 }, 5];
  it.each(notLists.map((list) => [JSON.stringify(list) ?? 'nothing', list]))(
    'rejects %s as the list',
    async (_, list) => {
      const answer = await call('POST', bulkDelete, { body: { transcriptionIds: list } });

      expect([answer.status, issuePaths(answer)]).toEqual([400, ['transcriptionIds']]);
    },
  );

  it('reports at most 20 invalid ids', async () => {
    const answer = await call('POST', bulkDelete, {
      body: { transcriptionIds: Array.from({ length: 10_000 }, () => 'x') },
    });

    expect(issuePaths(answer)).toHaveLength(20);
  });
});
