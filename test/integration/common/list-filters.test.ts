import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { ErrorBody } from '#shared/contracts/common/errors.ts';
import {
  type Transcription,
  TranscriptionState,
  TranscriptionType,
} from '#shared/contracts/transcriptions/transcription.ts';
import { type TranscriptionRecord, toTranscription } from '#shared/domain/transcriptions/transcription.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, issuePaths } from '../../support/http/checked-api.ts';
import { type ListQuery, listPath, pageOf, pagesOf, sorted } from '../../support/http/listing.ts';
import { type LiveEvent, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { writeRows } from '../../support/insights/stored-rooms.ts';
import { dynamodb, endpoints, organization } from '../../support/machine.ts';
import { organizationId, transcriptionRecord } from '../../support/operations/records.ts';

const directions = ['asc', 'desc'] as const;
const [states, types] = [TranscriptionState.options, TranscriptionType.options];
const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T09:00:00.000Z`;
const ids = Array.from({ length: 3 }, () => randomUUID());
const recordings = Array.from({ length: 3 }, () => randomUUID());
const rooms = ['/daily', '/daily standup', '/'];
const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });

/** Transcriptions with many ties: every combination of the filters' values occurs. */
const varied = (owner: string): TranscriptionRecord[] =>
  Array.from({ length: 72 }, (_, index) => {
    const type = types[Math.floor(index / 3) % 2] ?? 'LIVE_TRANSCRIPTION';
    return transcriptionRecord({
      organizationId: organizationId(owner),
      transcriptionId: randomUUID(),
      state: states[index % 3] ?? 'ready',
      type,
      recordingId: type === 'RECORDING_TRANSCRIPTION' ? recordings[Math.floor(index / 6) % 3] : undefined,
      roomSessionId: String(ids[Math.floor(index / 4) % 3]),
      roomName: String(rooms[Math.floor(index / 5) % 3]),
      startDate: day(1 + ((index * 7) % 10)),
    });
  });
const write = (records: readonly TranscriptionRecord[]) =>
  writeRows(documents, String(endpoints.tables.transcriptions), {
    count: records.length,
    make: (index) => toRow(records[index] ?? transcriptionRecord()),
  });

const refusal = async (owner: string, query: ListQuery) => {
  const answer = await clientOf(owner)('GET', listPath(query));
  const { issues = [] } = answer.status === 400 ? ErrorBody.parse(JSON.parse(answer.text)) : {};
  return [answer.status, ...issues.map(({ path, message }) => `${path}: ${message}`)];
};

describe('a filtered list of transcriptions', () => {
  const [acme, other] = [organization(), organization()];
  const all = varied(acme);
  const shown = (matching: readonly TranscriptionRecord[], direction: 'asc' | 'desc') =>
    sorted(matching.map(toTranscription), 'startDate', direction);

  beforeAll(async () => {
    await write(all);
    await write(varied(other));
  });

  const filters = [
    ...states.map((state) => ({ state })),
    ...types.map((type) => ({ type })),
    ...ids.map((roomSessionId) => ({ roomSessionId })),
    ...recordings.map((recordingId) => ({ recordingId })),
    ...rooms.map((roomName) => ({ roomName })),
    {},
  ] as readonly Partial<TranscriptionRecord>[];
  const ranges = [
    {},
    { startDateFrom: day(3) },
    { startDateTo: day(3) },
    { startDateFrom: day(3), startDateTo: day(7) },
    { startDateFrom: '2026-03-03T10:00:00.001+01:00', startDateTo: '2026-03-07T01:00:00.001-08:00' },
    { startDateFrom: '2030-01-01T00:00:00Z' },
  ];
  const isIn = (startDate: string, { startDateFrom, startDateTo }: (typeof ranges)[number]) =>
    (!startDateFrom || Date.parse(startDate) >= Date.parse(startDateFrom)) &&
    (!startDateTo || Date.parse(startDate) < Date.parse(startDateTo));

  it.each(filters)('returns for %j the same as a filter in memory, in every range, page by page', async (filter) => {
    for (const [index, range] of ranges.entries()) {
      for (const direction of directions) {
        const matching = all.filter(
          (record) =>
            isIn(record.startDate, range) &&
            Object.entries(filter).every(([name, value]) => record[name as keyof TranscriptionRecord] === value),
        );
        const limit = [5, 3, 7, 1, 100, 2][index] ?? 10;
        const query = { ...filter, ...range, limit, sortBy: `startDate:${direction}` } as ListQuery;
        const pages = await pagesOf(acme, query);

        expect(pages.flatMap(({ results }) => results)).toEqual(shown(matching, direction));
        expect(pages).toHaveLength(Math.max(1, Math.ceil(matching.length / limit)));
      }
    }
  });

  it('is newest first by default with any filter', async () => {
    const { results } = await pageOf(acme, { state: 'ready', startDateTo: day(5) });
    const matching = all.filter(({ state, startDate }) => state === 'ready' && startDate < day(5));

    expect(results).toEqual(shown(matching, 'desc'));
  });

  it('is empty for unknown ids and for values that no transcription has', async () => {
    for (const query of [{ roomSessionId: randomUUID() }, { recordingId: ids[0] }, { roomSessionId: recordings[0] }]) {
      expect(await pageOf(acme, query)).toEqual({ results: [], cursor: null });
    }
    expect(await pageOf(organization(), { recordingId: recordings[0] })).toEqual({ results: [], cursor: null });
  });

  it('accepts ids in any case', async () => {
    const upper = await pageOf(acme, { recordingId: recordings[0]?.toUpperCase() });
    expect(upper).toEqual(await pageOf(acme, { recordingId: recordings[0] }));
    expect(upper.results.length).toBeGreaterThan(0);
  });

  it('accepts a cursor only with its own filter and range, and never shows another organization', async () => {
    const query = { state: 'ready', startDateFrom: day(2), limit: 2 };
    const cursor = String((await pageOf(acme, query)).cursor);
    const others: ListQuery[] = [
      { ...query, state: 'failed' },
      { ...query, state: undefined },
      { ...query, state: undefined, type: 'LIVE_TRANSCRIPTION' },
      { ...query, startDateFrom: undefined },
      { ...query, startDateFrom: day(1) },
      { ...query, startDateTo: day(9) },
    ];
    for (const another of others) {
      expect(issuePaths(await clientOf(acme)('GET', listPath({ ...another, cursor })))).toEqual(['cursor']);
    }
    const foreign = String((await pageOf(other, query)).cursor);
    const own = new Set(all.map(({ transcriptionId }) => transcriptionId));
    const { results } = await pageOf(acme, { ...query, cursor: foreign });
    expect(results.filter(({ transcriptionId }) => !own.has(transcriptionId))).toEqual([]);
  });

  it('rejects a cursor whose position is outside its range', async () => {
    const query = { state: 'ready', startDateFrom: day(4), startDateTo: day(6), limit: 2 };
    const cursor = String((await pageOf(acme, query)).cursor);
    const [hash] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const position of [day(1), day(8), '0', ':', '\uffff', '\u{10ffff}']) {
      const forged = Buffer.from(JSON.stringify([hash, position])).toString('base64url');
      expect(issuePaths(await clientOf(acme)('GET', listPath({ ...query, cursor: forged })))).toEqual(['cursor']);
    }
  });
});

describe.concurrent('a list filtered by state', () => {
  it.each(directions)(
    'read %s while transcriptions end shows each unchanged one once, and the ended ones in the other list',
    async (direction) => {
      const acme = organization();
      const sessions = Array.from({ length: 12 }, (_, index) => liveSession(acme, { startDate: day(index + 1) }));
      await sendToRoomEvents(sessions.map((session) => session.started()));
      const idsIn = async (state: string) =>
        (await pagesOf(acme, { state, limit: 5 })).flatMap(({ results }) => results.map(idOf));
      await eventually(async () => expect(await idsIn('in_progress')).toHaveLength(12));
      const inOrder = direction === 'asc' ? sessions : sessions.toReversed();
      const query = { state: 'in_progress', sortBy: `startDate:${direction}`, limit: 4 };

      const first = await pageOf(acme, query);
      const ended = [1, 3, 4, 8].flatMap((index) => inOrder[index] ?? []); // on both sides of the position
      const events: LiveEvent[] = ended.map((session, index) => (index % 2 ? session.failed() : session.finished()));
      await sendToRoomEvents(events);
      await eventually(async () => expect(await idsIn('in_progress')).toHaveLength(8));
      const pages = [first];
      for (let { cursor } = first; cursor; cursor = pages.at(-1)?.cursor ?? null) {
        pages.push(await pageOf(acme, { ...query, cursor }));
      }

      const read = pages.flatMap(({ results }) => results.map(idOf));
      const goneSincePage1 = ended.slice(2).map(idOf);
      expect(read).toEqual(inOrder.map(idOf).filter((id) => !goneSincePage1.includes(id)));
      const [ready, failed] = [await idsIn('ready'), await idsIn('failed')];
      expect([...ready, ...failed].toSorted()).toEqual(ended.map(idOf).toSorted());
      expect(failed).toHaveLength(2);
    },
  );

  it('and lists of every other filter omit deleted transcriptions', async () => {
    const acme = organization();
    const session = liveSession(acme);
    await sendToRoomEvents([session.finished()]);
    const [known] = await eventually(async () => {
      const { results } = await pageOf(acme, { state: 'ready' });
      expect(results).toHaveLength(1);
      return results;
    });
    await clientOf(acme)('DELETE', session.path);

    const { state, type, roomSessionId } = known as Transcription;
    for (const query of [{ state }, { type }, { roomSessionId }, { startDateFrom: day(1) }]) {
      await eventually(async () => expect((await pageOf(acme, query)).results).toEqual([]));
    }
  });
});

const idOf = ({ transcriptionId }: { readonly transcriptionId: string }) => transcriptionId;

describe.concurrent('a list is rejected with', () => {
  const acme = organization();
  it.each<[ListQuery, string]>([
    [{ state: 'done' }, 'state: must be one of in_progress, ready, failed'],
    [{ type: 'live' }, 'type: must be one of LIVE_TRANSCRIPTION, RECORDING_TRANSCRIPTION'],
    [{ roomSessionId: 'x' }, 'roomSessionId: must be a UUID'],
    [{ recordingId: '' }, 'recordingId: must be a UUID'],
    [{ state: 'ready', roomName: '/daily' }, 'state: cannot be combined with roomName'],
    [{ type: 'LIVE_TRANSCRIPTION', state: 'ready' }, 'type: cannot be combined with state'],
    [{ state: 'ready', sortBy: 'durationInSeconds:asc' }, 'sortBy: must be startDate:asc or startDate:desc with '],
    [{ roomName: '/', startDateTo: day(1), sortBy: 'roomName:asc' }, 'sortBy: must be startDate:asc or startDate:desc'],
    [{ startDateFrom: day(1), startDateTo: day(1) }, 'startDateTo: must be later than startDateFrom'],
    [{ startDateFrom: '2026-03-01T09:00:00' }, 'startDateFrom: must be an ISO 8601 date and time with a time zone'],
    [{ startDateTo: '2026-02-30T09:00:00Z' }, 'startDateTo: must be a date and time that exists'],
  ])('%j', async (query, issue) => {
    expect(await refusal(acme, query)).toEqual([400, expect.stringContaining(issue)]);
  });
});
