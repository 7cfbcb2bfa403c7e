import { describe, expect, test } from 'vitest';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import type { OptionDefaults } from '#shared/domain/transcriptions/effective-options.ts';
import {
  type NewestTranscriptions,
  newestWith,
  otherTranscriptionsWith,
} from '#shared/domain/transcriptions/newest-transcription.ts';
import { jobFingerprint } from '#shared/domain/transcriptions/parts/work.ts';
import { countedSeconds } from '#shared/domain/transcriptions/recognized-seconds.ts';
import type { RecordingRecord } from '#shared/domain/transcriptions/recording.ts';
import type {
  StoredTranscription,
  Tombstone,
  TranscriptionRecord,
} from '#shared/domain/transcriptions/transcription.ts';
import { InvalidRequest, RecordingNotFound, ServiceUnavailable, TooManyMinutes } from '#shared/runtime/errors.ts';
import { createTranscription } from '#shared/use-cases/transcriptions/create-transcription.ts';
import {
  closingStores,
  organizationId,
  recordingRecord,
  tombstone,
  transcriptionRecord,
  uuid,
} from '../../../support/operations/records.ts';

const organization = organizationId();
const recordingId = uuid(2);
const recording = recordingRecord();

const request = { organizationId: organization, recordingId, correlationId: 'call-1' };

/** One recording and its transcriptions. `newest` is what the recording says of them. */
class Recordings {
  newest: NewestTranscriptions = {};
  /** What differs from the usual recording. */
  recording: Partial<RecordingRecord> = {};
  defaults: readonly OptionDefaults[] = [];
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
        id === recordingId ? { ...recording, ...this.recording, ...this.newest } : undefined,
    },
    transcriptions: { find: async (_organization: unknown, id: string) => this.stored.get(id) },
    closing: closingStores,
    optionDefaults: { of: async () => this.defaults },
    creation: {
      create: async (record: TranscriptionRecord, asRead: NewestTranscriptions, takesOver?: Tombstone) => {
        this.beforeClaim(++this.claims);
        const { options, transcriptionId } = record;
        if (newestWith(this.newest, options) !== newestWith(asRead, options)) return 'lost-race' as const;
        const seconds = countedSeconds(record);
        const remaining = this.limit - this.counted;
        if (seconds > remaining) return { exceeded: { isExceeded: true, limit: this.limit, remaining, resetsAt: 0 } };
        this.counted += seconds;
        this.takenOver.push(takesOver);
        this.stored.set(record.transcriptionId, record);
        this.newest = options
          ? { ...this.newest, otherTranscriptions: otherTranscriptionsWith(asRead, options, transcriptionId) }
          : { ...this.newest, latestTranscriptionId: transcriptionId };
        return this.loseAnswers-- <= 0 ? ('created' as const) : ('lost-race' as const);
      },
    },
    now: () => new Date('2026-03-01T10:00:00.000Z'),
    pause: async () => {},
  };

  hold(record: StoredTranscription): this {
    this.stored.set(record.transcriptionId, record);
    this.newest = { latestTranscriptionId: record.transcriptionId };
    return this;
  }

  create(newId: () => string = () => uuid(100), options?: TranscriptionOptions) {
    return createTranscription({ ...this.dependencies, newId }, { ...request, options });
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
    dueAt: '2026-03-01T10:05:00.000Z',
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
  expect(recordings.newest.latestTranscriptionId).toBe(uuid(100));
});

test('a new transcription is created after one whose tombstone has expired', async () => {
  const recordings = new Recordings();
  recordings.newest = { latestTranscriptionId: uuid(7) };
  expect(await recordings.create()).toEqual({ transcriptionId: uuid(100), isNew: true });
});

describe('concurrent calls', () => {
  test('create one transcription, and all return it', async () => {
    for (const previous of [undefined, transcriptionRecord({ transcriptionId: uuid(7), state: 'failed' })]) {
      const recordings = previous ? new Recordings().hold(previous) : new Recordings();
      let next = 100;
      const created = await Promise.all(Array.from({ length: 20 }, () => recordings.create(() => uuid(next++))));
      expect(new Set(created.map(({ transcriptionId }) => transcriptionId))).toEqual(
        new Set([recordings.newest.latestTranscriptionId]),
      );
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

describe('with options', () => {
  const german: TranscriptionOptions = { language: 'de-DE' };
  const both = { trackRevision: 3 };
  const createWith = (recordings: Recordings, id: number, options?: TranscriptionOptions) =>
    recordings.create(() => uuid(id), options);
  const storedBy = async (recordings: Recordings, options?: TranscriptionOptions) => {
    const { transcriptionId } = await createWith(recordings, 100, options);
    return recordings.stored.get(transcriptionId);
  };
  const issuesOf = async (recordings: Recordings, options: TranscriptionOptions) => {
    const error = await createWith(recordings, 100, options).catch((thrown: unknown) => thrown);
    return error instanceof InvalidRequest ? error.issues.map(({ path, message }) => `${path}: ${message}`) : error;
  };

  test('the recording has one transcription in progress for each set of options, in any order', async () => {
    const recordings = new Recordings();
    await createWith(recordings, 100);
    await createWith(recordings, 101, german);
    await createWith(recordings, 102, { language: ['fr-FR', 'de-DE'] });
    const again = await Promise.all([
      createWith(recordings, 103),
      createWith(recordings, 104, { language: 'de-DE', multiLanguage: false }),
      createWith(recordings, 105, { language: ['de-DE', 'fr-FR'] }),
      createWith(recordings, 106, { language: 'auto', maxSpeakers: 10 }),
    ]);
    expect(again).toEqual([100, 101, 102, 100].map((id) => ({ transcriptionId: uuid(id), isNew: false })));
  });

  test('the recording remembers the last ten sets of options', async () => {
    const recordings = new Recordings();
    for (let speakers = 2; speakers <= 13; speakers++)
      await createWith(recordings, 100 + speakers, { maxSpeakers: speakers });
    expect(recordings.newest.otherTranscriptions).toHaveLength(10);
    expect(await createWith(recordings, 200, { maxSpeakers: 12 })).toMatchObject({ isNew: false });
    expect(await createWith(recordings, 200, { maxSpeakers: 2 })).toMatchObject({ isNew: true });
  });

  test('a new transcription takes over the work of a deleted one with the same options only', async () => {
    const recordings = new Recordings();
    const { location = { bucket: '', key: '' } } = recording;
    await createWith(recordings, 100, german);
    const offered = tombstone({
      transcriptionId: uuid(100),
      jobFingerprint: jobFingerprint({ location, options: german }),
    });
    recordings.stored.set(uuid(100), offered);
    await createWith(recordings, 101);
    await createWith(recordings, 102, { language: 'fr-FR' });
    await createWith(recordings, 103, german);
    expect(recordings.takenOver).toEqual([undefined, undefined, undefined, offered]);
    expect(recordings.stored.get(uuid(103))).toMatchObject({ workId: uuid(100), options: german });
    expect(jobFingerprint({ location, options: german })).not.toBe(jobFingerprint({ location }));
  });

  test('the defaults of the organization count before those of the stage, and the request before both', async () => {
    const recordings = new Recordings();
    recordings.defaults = [
      { language: 'de-DE', vocabulary: 'names' },
      { language: 'auto', maxSpeakers: 5 },
    ];
    expect(await storedBy(recordings)).toMatchObject({
      options: { language: 'de-DE', vocabulary: 'names', maxSpeakers: 5 },
    });
    // A vocabulary belongs to the language that it is a default together with.
    expect(await storedBy(recordings, { language: 'fr-FR' })).toHaveProperty('options', {
      language: 'fr-FR',
      maxSpeakers: 5,
    });
    expect(await storedBy(recordings, { multiLanguage: true })).toMatchObject({
      options: { multiLanguage: true, maxSpeakers: 5 },
    });
  });

  test('a default of redaction is never left out', async () => {
    const recordings = new Recordings();
    recordings.defaults = [{ language: 'en-US', redact: { types: ['ALL'] } }];
    expect(await storedBy(recordings)).toMatchObject({ options: { language: 'en-US', redact: { types: ['ALL'] } } });
    expect(await issuesOf(recordings, { language: 'nl-NL' })).toEqual([
      expect.stringMatching(/^options.language: excludes redact, which is a default of your organization/),
    ]);
    expect(await issuesOf(recordings, { multiLanguage: true })).toEqual([
      expect.stringMatching(/^options.multiLanguage: excludes redact/),
    ]);
  });

  test('tracks or the mixed file are transcribed as the options say', async () => {
    const recordings = new Recordings();
    recordings.recording = both;
    expect(await storedBy(recordings, { tracks: true })).toMatchObject(both);
    const mixed = await createWith(recordings, 101, { tracks: false });
    expect(recordings.stored.get(mixed.transcriptionId)).not.toHaveProperty('trackRevision');
    const channels = await createWith(recordings, 102, { channels: ['p-1', 'p-2'] });
    expect(recordings.stored.get(channels.transcriptionId)).not.toHaveProperty('trackRevision');
    expect([mixed.isNew, channels.isNew]).toEqual([true, true]);
  });

  test('tracks that were reported after a transcription of the mixed file was created make a new one if they are asked for', async () => {
    const recordings = new Recordings();
    await createWith(recordings, 100);
    recordings.recording = both;
    expect(await createWith(recordings, 101)).toMatchObject({ isNew: false });
    expect(await createWith(recordings, 101, { tracks: true })).toMatchObject({ isNew: true });
    expect(await createWith(recordings, 102, { tracks: true })).toEqual({ transcriptionId: uuid(101), isNew: false });
  });

  test.each<[TranscriptionOptions, string, Partial<RecordingRecord>]>([
    [{ vocabulary: 'names' }, 'options.vocabulary: needs one code in language: the language of the vocabulary', {}],
    [{ tracks: true }, 'options.tracks: cannot be true: the recording has no tracks', {}],
    [
      { tracks: false },
      'options.tracks: needs a mixed file, and the recording has only tracks',
      { ...both, location: undefined },
    ],
    [
      { channels: ['p-1', 'p-2'] },
      'options.channels: needs a mixed file, and the recording has only tracks',
      { ...both, location: undefined },
    ],
  ])('%j are refused where they do not fit: %s', async (options, issue, ofRecording) => {
    const recordings = new Recordings();
    recordings.recording = ofRecording;
    expect(await issuesOf(recordings, options)).toEqual([issue]);
    expect(recordings.claims).toBe(0);
  });

  test('a default of tracks does not count for a recording without them', async () => {
    const recordings = new Recordings();
    recordings.defaults = [{ tracks: true }];
    expect(await storedBy(recordings)).not.toHaveProperty('options');
  });
});
