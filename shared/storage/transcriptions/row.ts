import * as z from 'zod/mini';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import {
  Failure,
  MissingSpan,
  StorageType,
  TranscriptionState,
  TranscriptionType,
} from '#shared/contracts/transcriptions/transcription.ts';
import { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import type { StoredTranscription, TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { dueShard } from '../common/keys.ts';
import { listAttributes } from './keys.ts';
import { StoredLocation } from './stored-location.ts';

const Row = z.object({
  organizationId: OrganizationId,
  transcriptionId: z.string(),
  roomSessionId: z.string(),
  roomName: z.string(),
  createdAt: z.string(),
  startDate: z.string(),
  endDate: z.nullable(z.string()),
  state: TranscriptionState,
  durationInSeconds: z.int(),
  type: TranscriptionType,
  filename: z.nullable(z.string()),
  storageType: StorageType,
  failure: z.optional(Failure),
  correlationId: z.optional(z.string()),
  recordingId: z.optional(z.string()),
  location: z.optional(StoredLocation),
  workId: z.optional(z.string()),
  trackRevision: z.optional(z.int()),
  options: z.optional(TranscriptionOptions),
  partCount: z.optional(z.int()),
  recordedSeconds: z.optional(z.number()),
  submittedSeconds: z.optional(z.number()),
  countedSeconds: z.optional(z.int()),
  missing: z.optional(z.array(MissingSpan)),
  approximateTimes: z.optional(z.boolean()),
  jobStartedAt: z.optional(z.string()),
  dueAt: z.optional(z.string()),
  linksValidFrom: z.optional(z.string()),
  revision: z.optional(z.int()),
});

const TombstoneRow = z.object({
  organizationId: OrganizationId,
  transcriptionId: z.string(),
  deletedAt: z.string(),
  dueAt: z.optional(z.string()),
  workId: z.optional(z.string()),
  jobFingerprint: z.optional(z.string()),
  takenOverBy: z.optional(z.string()),
  revision: z.optional(z.int()),
});

/** The item of a transcription with the attributes of its indexes. It is in the due index only while it has a due date. */
export function toRow(record: TranscriptionRecord): Record<string, unknown> {
  return {
    ...record,
    ...listAttributes(record),
    ...(record.dueAt !== undefined && { dueShard: dueShard(record.transcriptionId) }),
  };
}

/** A transcription from its item. Throws if the item has another shape, because that is a defect. */
export function toRecord(item: Record<string, unknown>): TranscriptionRecord {
  return Row.parse(item);
}

/** A transcription or a tombstone from its item. */
export function toStored(item: Record<string, unknown>): StoredTranscription {
  return 'deletedAt' in item ? TombstoneRow.parse(item) : toRecord(item);
}
