import { describe, expect, test } from 'vitest';
import { countedSeconds } from '#shared/domain/recognized-seconds.ts';
import type { StoredTranscription, Tombstone, TranscriptionRecord } from '#shared/domain/transcription.ts';
import { jobFingerprint } from '#shared/domain/work.ts';
import { RecordingNotFound, ServiceUnavailable, TooManyMinutes } from '#shared/errors.ts';
import { createTranscription } from '#shared/use-cases/create-transcription.ts';
import {
  closingStores,
  organizationId,
  recordingRecord,
  tombstone,
  transcriptionRecord,
  uuid,
} from '../../support/records.ts';

const organization = organizationId();
const recordingId = uuid(2);
const recording = recordingRecord();

const request = { organizationId: organization, recordingId, correlationId: 'call-1' };

/** One recording and its transcriptions. `latest` is the recording's latest transcription. */
class Recordings {
  latest: string | undefined;
  readonly stored = new Map<string, StoredTranscription>();
  /** Runs before each claim. It can throw or change the stored state. */
  beforeClaim: (attempt: number) => void = () => {};
  loseAnswers = 0;
  claims = 0;
  /** What each creation took over. */
  readonly takenOver: (Tombstone | undefined)[] = [];
  /** The seconds that all transcriptions count together, and how many they may. */
  counted = 0;
  limit = 100_000;

  readonly dependencies = {
    recordings: {
      find: async (_organization: unknown, id: string) =>
        id === recordingId ? { ...recording, latestTranscriptionId: this.latest } : undefined,
    },
    transcriptions: { find: async (_organization: unknown, id: string) => this.stored.get(id) },
    closing: closingStores,
    creation: {
      create: async (record: TranscriptionRecord, previousId: string | undefined, takesOver?: Tombstone) => {
        this.beforeClaim(++this.claims);
        if (this.latest !== previousId) return 'lost-race' as const;
        const seconds = countedSeconds(record);
        const remaining = this.limit - this.counted;
        if (seconds > remaining) return { exceeded: { isExceeded: true, limit: this.limit, remaining, resetsAt: 0 } };
        this.counted += seconds;
        this.takenOver.push(takesOver);
        this.stored.set(record.transcriptionId, record);
        this.latest = record.transcriptionId;
        return this.loseAnswers-- <= 0 ? ('created' as const) : ('lost-race' as const);
      },
    },
    now: () => new Date('2026-03-01T10:00:00.000Z'),
    pause: async () => {},
  };

  hold(record: StoredTranscription): this {
    this.stored.set(record.transcriptionId, record);
    this.latest = record.transcriptionId;
    return this;
  }

  create(newId: () => string = () => uuid(100)) {
    return createTranscription({ ...this.dependencies, newId }, request);
  }
}

test('an unknown recording cannot be transcribed', async () => {
  const { dependencies } = new Recordings();
  await expect(createTranscription(dependencies, { ...request, recordingId: uuid(9) })).rejects.toThrow(
    RecordingNotFound,
  );
});

test("the first transcription is stored as in progress, with the recording's data and a due date", async () => {
  const recordings = new Recordings();
  expect(await recordings.create()).toEqual({ transcriptionId: uuid(100), isNew: true });
  expect(recordings.stored.get(uuid(100))).toEqual({
    organizationId: 'acme',
    transcriptionId: uuid(100),
    correlationId: 'call-1',
    recordingId,
    roomName: recording.roomName,
    roomSessionId: recording.roomSessionId,
    startDate: recording.startDate,
    endDate: recording.endDate,
    location: recording.location,
    createdAt: '2026-03-01T10:00:00.000Z',
    state: 'in_progress',
    durationInSeconds: 0,
    type: 'RECORDING_TRANSCRIPTION',
    filename: null,
    storageType: 'SERVICE_HOSTED',
    dueAt: '2026-03-01T10:02:00.000Z',
  });
});

test('a transcription in progress is returned and no new one is created', async () => {
  const recordings = new Recordings().hold(transcriptionRecord({ transcriptionId: uuid(7) }));
  expect(await recordings.create()).toEqual({ transcriptionId: uuid(7), isNew: false });
  expect(recordings.claims).toBe(0);
});

test.each([
  ['is ready', transcriptionRecord({ transcriptionId: uuid(7), state: 'ready' })],
  ['has failed', transcriptionRecord({ transcriptionId: uuid(7), state: 'failed' })],
  ['was deleted', tombstone({ transcriptionId: uuid(7) })],
])('a new transcription is created after one that %s', async (_name, previous) => {
  const recordings = new Recordings().hold(previous);
  expect(await recordings.create()).toEqual({ transcriptionId: uuid(100), isNew: true });
  expect(recordings.latest).toBe(uuid(100));
});

test('a new transcription is created after one whose tombstone has expired', async () => {
  const recordings = new Recordings();
  recordings.latest = uuid(7);
  expect(await recordings.create()).toEqual({ transcriptionId: uuid(100), isNew: true });
});

describe('concurrent calls', () => {
  test('create one transcription, and all return it', async () => {
    for (const previous of [undefined, transcriptionRecord({ transcriptionId: uuid(7), state: 'failed' })]) {
      const recordings = previous ? new Recordings().hold(previous) : new Recordings();
      let next = 100;
      const created = await Promise.all(Array.from({ length: 20 }, () => recordings.create(() => uuid(next++))));
      expect(new Set(created.map(({ transcriptionId }) => transcriptionId))).toEqual(new Set([recordings.latest]));
      expect(created.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(
        [...recordings.stored.values()].filter((row) => 'state' in row && row.state === 'in_progress'),
      ).toHaveLength(1);
    }
  });

  test('that lose the race return the transcription of the winner', async () => {
    const recordings = new Recordings();
    recordings.beforeClaim = () => void recordings.hold(transcriptionRecord({ transcriptionId: uuid(8) }));
    expect(await recordings.create()).toEqual({ transcriptionId: uuid(8), isNew: false });
  });

  test("that lose the race create a new transcription if the winner's has ended", async () => {
    const recordings = new Recordings();
    recordings.beforeClaim = (attempt) => {
      if (attempt === 1) recordings.hold(transcriptionRecord({ transcriptionId: uuid(8), state: 'ready' }));
    };
    expect(await recordings.create()).toEqual({ transcriptionId: uuid(100), isNew: true });
  });

  test('that lose every race ask the caller to retry', async () => {
    const recordings = new Recordings();
    recordings.beforeClaim = (attempt) =>
      void recordings.hold(transcriptionRecord({ transcriptionId: uuid(attempt), state: 'failed' }));
    await expect(recordings.create()).rejects.toThrow(ServiceUnavailable);
  });
});

test('a claim whose answer was lost is recognized as applied', async () => {
  const recordings = new Recordings();
  recordings.loseAnswers = 1;
  expect(await recordings.create()).toEqual({ transcriptionId: uuid(100), isNew: true });
  expect(recordings.stored.size).toBe(1);
});

test('a claim that fails for another reason is not retried', async () => {
  const recordings = new Recordings();
  recordings.beforeClaim = () => {
    throw new Error('the table is gone');
  };
  await expect(recordings.create()).rejects.toThrow('the table is gone');
  expect(recordings.claims).toBe(1);
});

describe('the ceiling of minutes', () => {
  test('counts a new transcription, and one that exists costs nothing', async () => {
    const recordings = new Recordings();
    await recordings.create();
    expect(recordings.counted).toBe(600);
    await recordings.create(() => uuid(101));
    expect(recordings.counted).toBe(600);
  });

  test('refuses a recording that is longer than what is left, and creates nothing', async () => {
    const recordings = new Recordings();
    recordings.counted = 99_401;
    await expect(recordings.create()).rejects.toThrow(TooManyMinutes);
    expect([recordings.stored.size, recordings.counted]).toEqual([0, 99_401]);
  });

  test('counts once, however many races a call loses, and not at all if another call has created the transcription', async () => {
    const recordings = new Recordings();
    recordings.beforeClaim = (attempt) => {
      const state = attempt === 3 ? 'in_progress' : 'failed';
      recordings.hold(transcriptionRecord({ transcriptionId: uuid(attempt), state }));
    };
    expect(await recordings.create()).toEqual({ transcriptionId: uuid(3), isNew: false });
    expect([recordings.claims, recordings.counted]).toEqual([3, 0]);
  });

  test('counts a creation whose answer was lost', async () => {
    const recordings = new Recordings();
    recordings.loseAnswers = 1;
    await recordings.create();
    expect(recordings.counted).toBe(600);
  });
});

describe('after a deletion while the job may still run', () => {
  const { location = { bucket: '', key: '' } } = recording;
  const jobFingerprintOf = (key: string) => jobFingerprint({ location: { ...location, key } });
  const offered = tombstone({ transcriptionId: uuid(7), jobFingerprint: jobFingerprintOf(location.key) });

  test.each([
    ['of the deleted one', offered, uuid(7)],
    ['that the deleted one had taken over', { ...offered, workId: uuid(6) }, uuid(6)],
  ])('a new transcription takes over the work %s, and counts no seconds', async (_what, previous, workId) => {
    const recordings = new Recordings().hold(previous);
    recordings.counted = recordings.limit;
    expect(await recordings.create()).toEqual({ transcriptionId: uuid(100), isNew: true });
    expect(recordings.stored.get(uuid(100))).toMatchObject({ workId, state: 'in_progress' });
    expect(recordings.takenOver).toEqual([previous]);
    expect(recordings.counted).toBe(recordings.limit);
  });

  test('of another file, a new transcription has work of its own, and counts its seconds', async () => {
    const recordings = new Recordings().hold({ ...offered, jobFingerprint: jobFingerprintOf('another.wav') });
    await recordings.create();
    expect(recordings.stored.get(uuid(100))).not.toHaveProperty('workId');
    expect([recordings.takenOver, recordings.counted]).toEqual([[undefined], 600]);
  });

  test('seconds that were counted before a lost race are given back', async () => {
    const recordings = new Recordings();
    recordings.beforeClaim = (attempt) => void (attempt === 1 && recordings.hold(offered));
    await recordings.create();
    expect([recordings.takenOver, recordings.counted]).toEqual([[offered], 0]);
  });
});
