import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Failure } from '#shared/contracts/transcriptions/transcription.ts';
import { namesParticipant, type TranscriptSpeakers } from '#shared/domain/speakers/transcript-speakers.ts';
import type { WorkKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { type JobOwner, type WorkOwner, workOf } from '#shared/domain/transcriptions/parts/work.ts';
import { countedSeconds } from '#shared/domain/transcriptions/recognized-seconds.ts';
import { foldersOf, generatedFolders, workFolder } from '#shared/domain/transcriptions/transcript-location.ts';
import {
  isDeleted,
  isInProgress,
  isReady,
  type StoredTranscription,
  type Tombstone,
  type TranscriptionRecord,
} from '#shared/domain/transcriptions/transcription.ts';
import type { JobState } from '#shared/domain/transcriptions/transcription-job.ts';
import type { ReadSpeakers } from '#shared/use-cases/transcriptions/speakers/ports.ts';
import { FakeWorks } from '../transcriptions/fake-works.ts';

/** A function that runs before the n-th call of the named method. */
export type Meanwhile = (call: string, count: number) => Promise<void> | void;

type Owner = { readonly organizationId: OrganizationId; readonly transcriptionId: string };

/**
 * Transcriptions, their files and their jobs in memory, with the same conditions as the real stores. `calls` lists the
 * calls in order. `meanwhile` runs before each call and may change the data or throw.
 */
export class FakeStore {
  readonly rows = new Map<string, StoredTranscription>();
  readonly files = new Map<string, string>();
  readonly jobs = new Map<string, Exclude<JobState, 'absent'>>();
  readonly calls: string[] = [];
  /** The seconds that usage counts. */
  transcribedSeconds = 0;
  /** The seconds that were taken off the count of the day. */
  givenBack = 0;
  meanwhile: Meanwhile = () => {};

  constructor(...rows: readonly StoredTranscription[]) {
    for (const row of rows) this.put(row);
  }

  put(row: StoredTranscription): void {
    this.rows.set(keyOf(row), row);
  }

  get(owner: Owner): StoredTranscription | undefined {
    return this.rows.get(keyOf(owner));
  }

  readonly transcriptions = {
    find: async (organizationId: OrganizationId, transcriptionId: string) => {
      await this.#called('find');
      return this.get({ organizationId, transcriptionId });
    },
    markJobStarted: async (
      record: TranscriptionRecord,
      facts: Pick<TranscriptionRecord, 'jobStartedAt' | 'dueAt' | 'recordedSeconds'>,
    ) => {
      await this.#called('markJobStarted');
      return this.#changeInProgress({ ...record, ...facts });
    },
    markPrepared: async (record: TranscriptionRecord, facts: Partial<TranscriptionRecord>) => {
      await this.#called('markPrepared');
      return this.#changeInProgress({ ...record, ...facts });
    },
    markReady: async (record: TranscriptionRecord, facts: Partial<TranscriptionRecord>, transcribedSeconds: number) => {
      await this.#called('markReady');
      const outcome = this.#changeInProgress({ ...record, ...facts, state: 'ready' });
      if (outcome.applied) this.transcribedSeconds += transcribedSeconds;
      return outcome;
    },
    markFailed: async (record: TranscriptionRecord, failure: Failure) => {
      await this.#called('markFailed');
      return this.#changeInProgress({ ...record, failure, state: 'failed' });
    },
    abandon: async (record: TranscriptionRecord, failure: Failure, dueAt: string) => {
      await this.#called('abandon');
      return this.#changeInProgress({ ...record, failure, state: 'failed', dueAt });
    },
    replaceWithTombstone: async (record: TranscriptionRecord, tombstone: Tombstone, expiresAt: number) => {
      await this.#called('replaceWithTombstone');
      const stored = this.get(record);
      const isAsRead = (other: TranscriptionRecord) =>
        other.state === record.state && other.failure?.code === record.failure?.code;
      if (!stored || (!isDeleted(stored) && !isAsRead(stored))) return false;
      this.put({ ...tombstone, expiresAt } as Tombstone);
      return true;
    },
    withdrawWork: async (tombstone: Tombstone) => {
      await this.#called('withdrawWork');
      const stored = this.get(tombstone);
      if (!stored || !isDeleted(stored)) return true;
      const { jobFingerprint: _, ...withdrawn } = stored;
      if (stored.takenOverBy === undefined) this.put(withdrawn);
      return stored.takenOverBy === undefined;
    },
  };

  readonly refusal = {
    abandonAndGiveBack: async (record: TranscriptionRecord, failure: Failure, dueAt: string, seconds: number) => {
      await this.#called('abandonAndGiveBack');
      const outcome = this.#changeInProgress({ ...record, failure, state: 'failed', dueAt });
      if (outcome.applied) this.givenBack += seconds;
      return outcome;
    },
  };

  /** The seconds that are left of the day. */
  secondsLeft = Number.POSITIVE_INFINITY;

  readonly counts = {
    correct: async (record: TranscriptionRecord, seconds: number) => {
      await this.#called('correct');
      const stored = this.get(record);
      if (!isInProgress(stored)) return 'ended' as const;
      const difference = seconds - countedSeconds(stored);
      if (difference > this.secondsLeft) return 'exceeded' as const;
      this.secondsLeft -= difference;
      this.put({ ...stored, countedSeconds: seconds });
      return 'corrected' as const;
    },
  };

  readonly filesOf = {
    read: async (key: string, maxBytes: number) => {
      await this.#called('read');
      const text = this.files.get(key);
      if (text === undefined) return 'missing';
      return text.length > maxBytes ? 'too-large' : { text };
    },
    write: async (key: string, { body }: { readonly body: string }) => {
      await this.#called('write');
      this.files.set(key, body);
    },
    removeGenerated: async (owner: WorkOwner) => {
      await this.#called('removeGenerated');
      this.#removeBelow(generatedFolders(owner));
    },
    removeWork: async (key: WorkKey) => {
      await this.#called('removeWork');
      this.#removeBelow([workFolder(key)]);
    },
    removeAllOf: async (record: WorkOwner) => {
      await this.#called('removeAllOf');
      this.#removeBelow(foldersOf(record));
    },
  };

  readonly speakerRows = new Map<string, TranscriptSpeakers>();
  /** The transcriptions whose files were asked for again. */
  readonly changes: string[] = [];

  readonly speakersOf = {
    find: async (owner: Owner) => {
      await this.#called('findSpeakers');
      return this.speakerRows.get(keyOf(owner));
    },
    begin: async (owner: Owner, speakers: Pick<TranscriptSpeakers, 'languageCode' | 'languages' | 'speakers'>) => {
      await this.#called('beginSpeakers');
      if ((this.speakerRows.get(keyOf(owner))?.revision ?? 0) === 0)
        this.speakerRows.set(keyOf(owner), { ...speakers, corrections: {}, revision: 0 });
    },
    remove: async (owner: Owner) => {
      await this.#called('removeSpeakers');
      const row = this.speakerRows.get(keyOf(owner));
      this.speakerRows.delete(keyOf(owner));
      return !row || namesParticipant(row);
    },
  };

  readonly speakerChanges = {
    change: async (
      owner: Owner,
      { row: asRead, transcription }: ReadSpeakers,
      to: Partial<Pick<TranscriptSpeakers, 'speakers' | 'corrections'>>,
    ) => {
      await this.#called('changeSpeakers');
      const stored = this.speakerRows.get(keyOf(owner));
      if (stored?.revision !== asRead.revision || isReady(transcription) !== isReady(this.get(owner))) return false;
      this.speakerRows.set(keyOf(owner), { ...asRead, ...to, revision: stored.revision + 1 });
      return true;
    },
  };

  readonly sendChange = async ({ transcriptionId }: Owner) => {
    await this.#called('sendChange');
    this.changes.push(transcriptionId);
  };

  readonly works = new FakeWorks((name) => this.#called(name));

  readonly jobsOf = {
    state: async (owner: JobOwner) => {
      await this.#called('jobState');
      return this.jobs.get(jobKeyOf(owner)) ?? ('absent' as const);
    },
    /** Does not remove a running job, like Transcribe. */
    remove: async (owner: JobOwner) => {
      await this.#called('removeJob');
      const key = jobKeyOf(owner);
      if (this.jobs.get(key) === 'running') return 'later' as const;
      this.jobs.delete(key);
      return 'removed' as const;
    },
  };

  setJob(owner: JobOwner, state: Exclude<JobState, 'absent'>): void {
    this.jobs.set(jobKeyOf(owner), state);
  }

  #removeBelow(folders: readonly string[]): void {
    for (const key of this.files.keys()) if (folders.some((folder) => key.startsWith(folder))) this.files.delete(key);
  }

  async #called(name: string): Promise<void> {
    this.calls.push(name);
    await this.meanwhile(name, this.calls.filter((call) => call === name).length);
  }

  #changeInProgress(changed: TranscriptionRecord) {
    const stored = this.get(changed);
    if (!isInProgress(stored)) return { applied: false, stored } as const;
    this.put(changed);
    return { applied: true } as const;
  }
}

function keyOf({ organizationId, transcriptionId }: Owner): string {
  return `${organizationId}/${transcriptionId}`;
}

function jobKeyOf(owner: JobOwner): string {
  return [keyOf(workOf(owner)), ...(owner.part === undefined ? [] : [owner.part])].join('/');
}
