import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { TranscriptionPart, WorkKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { RecordingRecord } from '#shared/domain/transcriptions/recording.ts';
import type { Tombstone, TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import type { ClosingDependencies } from '#shared/use-cases/transcriptions/closed-recording.ts';

/** An organization id. */
export function organizationId(name = 'acme'): OrganizationId {
  return OrganizationId.parse(name);
}

/** A UUID that is recognizable by its number. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** A transcription of a recording of ten minutes, by default in progress. */
export function transcriptionRecord(facts: Partial<TranscriptionRecord> = {}): TranscriptionRecord {
  return {
    organizationId: organizationId(),
    transcriptionId: uuid(1),
    recordingId: uuid(2),
    roomSessionId: uuid(3),
    roomName: '/daily',
    createdAt: '2026-03-01T10:00:00.000Z',
    startDate: '2026-03-01T09:00:00.000Z',
    endDate: '2026-03-01T09:10:00.000Z',
    state: 'in_progress',
    durationInSeconds: 0,
    type: 'RECORDING_TRANSCRIPTION',
    filename: null,
    storageType: 'SERVICE_HOSTED',
    location: { bucket: 'recordings', key: 'daily/1.wav' },
    ...facts,
  };
}

/** The tombstone of the transcription of `transcriptionRecord`. */
export function tombstone(facts: Partial<Tombstone> = {}): Tombstone {
  return {
    organizationId: organizationId(),
    transcriptionId: uuid(1),
    deletedAt: '2026-03-01T10:00:00.000Z',
    ...facts,
  };
}

/** The recording `uuid(2)`, finished and without a transcription. */
export function recordingRecord() {
  return {
    organizationId: organizationId(),
    recordingId: uuid(2),
    roomName: '/daily',
    roomSessionId: uuid(3),
    startDate: '2026-03-01T09:00:00.000Z',
    endDate: '2026-03-01T09:10:00.000Z',
    filename: '1.wav',
    location: { bucket: 'recordings', key: 'daily/1.wav' },
    finishedAt: '2026-03-01T09:10:00.000Z',
  } as const satisfies RecordingRecord;
}

/** The stores that tell whether a recording is closed, without sessions and tracks. */
export const closingStores: ClosingDependencies = {
  sessions: { find: async () => undefined },
  tracks: { listTracks: async () => [] },
  closeMinutes: 15,
};

/** A part of a minute of the mixed file, by default waiting. */
export function partRecord(
  part: number,
  facts: Partial<TranscriptionPart> = {},
): Omit<TranscriptionPart, keyof WorkKey> {
  return {
    part,
    state: 'waiting',
    participantId: null,
    from: 60 * (part - 1),
    to: 60 * part,
    file: { bucket: 'transcripts', key: `work/${part}.ogg` },
    container: 'ogg',
    submittedSeconds: 60,
    ...facts,
  };
}
