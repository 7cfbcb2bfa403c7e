import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Uuid } from '#shared/contracts/common/fields.ts';
import { RoomEvent } from '#shared/contracts/events.ts';
import { transcriptionFilters, transcriptionSortFields } from '#shared/contracts/transcriptions/transcription.ts';
import { endedLiveTranscription } from '#shared/domain/transcriptions/live-transcription.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { dueShard, dueShards, timeRange } from '#shared/storage/common/keys.ts';
import {
  fileAt,
  listAttributes,
  recordingFileKey,
  recordingKey,
  transcriptionKey,
} from '#shared/storage/transcriptions/keys.ts';
import { listKey } from '#shared/storage/transcriptions/list-key.ts';
import { compareBytes } from '../../../support/media/byte-order.ts';
import { organizationId, transcriptionRecord, uuid } from '../../../support/operations/records.ts';

const compareNumbers = (one: number, other: number) => Math.sign(one - other);

/** Short and similar names, so that many are prefixes of each other, with characters of every UTF-8 length. */
const roomNames = fc
  .array(fc.constantFrom('a', 'b', '/', ' ', '!', '#', '\u0001', '\u007f', 'é', '\uffee', '😀', '\u{10ffff}'), {
    maxLength: 4,
  })
  .map((characters) => `/${characters.join('')}`);
const organizations = fc.stringMatching(/^[A-Za-z0-9_-]{1,3}$/).map((id) => organizationId(id));
const startDates = fc
  .integer({ min: 0, max: 3 })
  .map((second) => new Date(Date.parse('2026-03-01T09:00:00Z') + second).toISOString());
const durations = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 999_999_999 }));
const ids = fc.uuid();

const records = fc
  .record({ startDate: startDates, roomName: roomNames, durationInSeconds: durations, transcriptionId: ids })
  .map((facts): TranscriptionRecord => transcriptionRecord(facts));

const liveTranscription = {
  transcriptionId: uuid(1),
  roomSessionId: uuid(3),
  roomName: '/daily',
  startDate: '2026-03-01T09:00:00Z',
};

const compareValue: Record<string, (one: TranscriptionRecord, other: TranscriptionRecord) => number> = {
  startDate: (one, other) => compareBytes(one.startDate, other.startDate),
  roomName: (one, other) => compareBytes(one.roomName, other.roomName),
  durationInSeconds: (one, other) => compareNumbers(one.durationInSeconds, other.durationInSeconds),
};

describe.each(transcriptionSortFields)('the sort attribute of %s', (field) => {
  const { sortKey } = listKey(organizationId(), field);
  const sortOf = (record: TranscriptionRecord) => listAttributes(record)[sortKey] ?? '';

  test('sorts by the value, then the start, then the id', () => {
    fc.assert(
      fc.property(records, records, (one, other) => {
        const expected =
          compareValue[field]?.(one, other) ||
          compareBytes(one.startDate, other.startDate) ||
          compareBytes(one.transcriptionId, other.transcriptionId);
        expect(Math.sign(compareBytes(sortOf(one), sortOf(other)))).toBe(Math.sign(expected));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is different for any two transcriptions', () => {
    fc.assert(
      fc.property(records, records, (one, other) => {
        fc.pre(one.transcriptionId !== other.transcriptionId);
        expect(sortOf(one)).not.toBe(sortOf(other));
      }),
    );
  });

  test('fits into a sort key with the longest room name', () => {
    const longest = transcriptionRecord({ roomName: `/${'a'.repeat(511)}`, durationInSeconds: 999_999_999 });
    expect(Buffer.byteLength(sortOf(longest))).toBeLessThanOrEqual(1024);
  });

  test('is in every row, for the list of all rooms and of one room', () => {
    for (const roomName of ['', '/daily']) {
      const { partition, sortKey: sort } = listKey(
        organizationId(),
        field,
        roomName ? ['roomName', roomName] : undefined,
      );
      const row: Record<string, unknown> = { ...transcriptionRecord(), ...listAttributes(transcriptionRecord()) };
      expect(row[partition[0]]).toBe(partition[1]);
      expect(row[sort]).toEqual(expect.any(String));
    }
  });
});

test('the sort attribute sorts every duration that an event can contain', () => {
  const { sortKey } = listKey(organizationId(), 'durationInSeconds');
  const ended = (change: object) => ({
    ...{ id: 'event-1', type: 'transcription.finished', organizationId: 'acme', createdAt: '2026-03-01T09:00:00Z' },
    data: { ...liveTranscription, ...change },
  });
  const changes = [
    ...[0, 9, 10, 9_999_999_999, 10_000_000_000, Number.MAX_SAFE_INTEGER].map((seconds) => ({
      durationInSeconds: seconds,
    })),
    { startDate: '1970-01-01T00:00:00Z', endDate: '4820-12-31T23:59:59Z' },
    { startDate: '1970-01-01T00:00:00Z', endDate: '9998-12-31T23:59:59Z' },
  ];
  const records = changes
    .map((change) => RoomEvent.safeParse(ended(change)).data)
    .filter((event) => event?.type === 'transcription.finished')
    .map((event) => endedLiveTranscription(event, 'transcripts'));
  const durationsBy = (compare: (one: TranscriptionRecord, other: TranscriptionRecord) => number) =>
    records.toSorted(compare).map(({ durationInSeconds }) => durationInSeconds);
  const sortOf = (record: TranscriptionRecord) => listAttributes(record)[sortKey] ?? '';
  expect(durationsBy((one, other) => compareBytes(sortOf(one), sortOf(other)))).toEqual(
    durationsBy((one, other) => one.durationInSeconds - other.durationInSeconds),
  );
});

describe('the partition key of a room', () => {
  const partitionOf = (organization: ReturnType<typeof organizationId>, roomName: string) =>
    listKey(organization, 'startDate', ['roomName', roomName]).partition.join();

  test('is different for any other room or organization', () => {
    const pairs = fc.tuple(organizations, roomNames);
    fc.assert(
      fc.property(pairs, pairs, (one, other) => {
        fc.pre(one.join('\n') !== other.join('\n'));
        expect(partitionOf(...one)).not.toBe(partitionOf(...other));
      }),
      { numRuns: 2_000 },
    );
  });

  test("is the one in the room's own rows", () => {
    fc.assert(
      fc.property(records, ({ organizationId: organization, roomName, ...rest }) => {
        const row = listAttributes({ ...rest, organizationId: organization, roomName });
        expect(`${attributeNames.organizationRoom},${row[attributeNames.organizationRoom]}`).toBe(
          partitionOf(organization, roomName),
        );
      }),
    );
  });

  test('fits into a partition key with the longest names', () => {
    const [, key] = listKey(organizationId('o'.repeat(64)), 'startDate', ['roomName', `/${'a'.repeat(511)}`]).partition;
    expect(Buffer.byteLength(key)).toBeLessThanOrEqual(2048);
  });
});

describe('the partition key of a filter', () => {
  const recordsOfAllKinds = fc
    .record({
      organizationId: organizations,
      state: fc.constantFrom('in_progress', 'ready', 'failed'),
      type: fc.constantFrom('LIVE_TRANSCRIPTION', 'RECORDING_TRANSCRIPTION'),
      roomSessionId: fc.nat(2).map(uuid),
      recordingId: fc.option(fc.nat(2).map(uuid), { nil: undefined }),
      roomName: roomNames,
    })
    .map((facts) => transcriptionRecord(facts));

  test.each(transcriptionFilters)('%s matches exactly the rows of the organization with its value', (filter) => {
    fc.assert(
      fc.property(recordsOfAllKinds, recordsOfAllKinds, (one, other) => {
        const value = one[filter];
        fc.pre(value !== undefined);
        const [name, partition] = listKey(one.organizationId, 'startDate', [filter, value]).partition;
        const isOfIt = other[filter] === value && other.organizationId === one.organizationId;
        expect(listAttributes(one)[name]).toBe(partition);
        expect(listAttributes(other)[name] === partition).toBe(isOfIt);
      }),
    );
  });

  test('has its own attribute and index, so that values of two filters never collide', () => {
    const keys = transcriptionFilters.map((filter) => listKey(organizationId(), 'startDate', [filter, uuid(1)]));
    expect(new Set(keys.map(({ partition }) => partition[0])).size).toBe(transcriptionFilters.length);
    expect(new Set(keys.map(({ index }) => index)).size).toBe(transcriptionFilters.length);
  });

  test('for a recording is absent from rows that have no recording', () => {
    const live = listAttributes(transcriptionRecord({ recordingId: undefined }));
    expect(live).not.toHaveProperty(attributeNames.organizationRecording);
  });

  test.each(transcriptionFilters.slice(1))('%s sorts by the start only', (filter) => {
    for (const field of ['roomName', 'durationInSeconds'] as const) {
      expect(() => listKey(organizationId(), field, [filter, 'x'])).toThrow(field);
    }
  });
});

describe('a range of time', () => {
  const { sortKey } = listKey(organizationId(), 'startDate');
  const bounds = fc.option(startDates, { nil: undefined });

  test('includes its start and excludes its end', () => {
    fc.assert(
      fc.property(records, bounds, bounds, (record, from, to) => {
        const [first, last] = timeRange(from, to) ?? ['', afterEverything];
        const sort = listAttributes(record)[sortKey] ?? '';
        const isWithin = compareBytes(first, sort) <= 0 && compareBytes(sort, last) <= 0;
        expect(isWithin).toBe((from ?? '') <= record.startDate && (to === undefined || record.startDate < to));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(['1970-01-01T00:00:00.000Z', '9998-12-31T23:59:59.999Z'])('with one open end includes %s', (startDate) => {
    const sort = listAttributes(transcriptionRecord({ startDate }))[sortKey] ?? '';
    for (const [first, last] of [timeRange(startDate, undefined), timeRange(undefined, '9999')].map(definite)) {
      expect(compareBytes(first, sort) <= 0 && compareBytes(sort, last) <= 0).toBe(true);
    }
  });
});

const afterEverything = '\u{10ffff}';
const definite = (range: ReturnType<typeof timeRange>) => range ?? [afterEverything, ''];

test('the key of a file is its location without any change, which it leads back to', () => {
  const files = fc.record({ bucket: fc.stringMatching(/^[a-z0-9.-]{3,9}$/), key: fc.string({ minLength: 1 }) });
  fc.assert(
    fc.property(files, (file) => {
      const { fileLocation } = recordingFileKey(file);
      expect(fileLocation).toBe(`s3://${file.bucket}/${file.key}`);
      expect(fileAt(fileLocation ?? '')).toEqual(file);
    }),
  );
});

test('every other partition key starts with the organization', () => {
  expect(recordingKey(organizationId('acme'), 'x')).toEqual({ organizationId: 'acme', recordingId: 'x' });
  expect(transcriptionKey(organizationId('acme'), 'x')).toEqual({ organizationId: 'acme', transcriptionId: 'x' });
  for (const field of transcriptionSortFields) {
    for (const roomName of ['', '/daily']) {
      expect(
        listKey(organizationId('acme'), field, roomName ? ['roomName', roomName] : undefined).partition[1],
      ).toMatch(/^acme(#|$)/);
    }
  }
  for (const filter of transcriptionFilters) {
    expect(listKey(organizationId('acme'), 'startDate', [filter, 'x']).partition[1]).toBe('acme#x');
  }
});

test('every transcription has a due shard, and all shards are used', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(ids, (id) => {
      const shard = dueShard(Uuid.parse(id));
      seen.add(shard);
      expect(dueShards).toContain(shard);
    }),
    { numRuns: 1_000 },
  );
  expect(seen.size).toBe(dueShards.length);
});
