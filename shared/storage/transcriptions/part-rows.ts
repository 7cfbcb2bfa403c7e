import * as z from 'zod/mini';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { failureCodes } from '#shared/contracts/transcriptions/transcription.ts';
import { mediaContainers } from '#shared/domain/media/media-plan.ts';
import {
  partStates,
  type TranscriptionPart,
  type Work,
} from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { WorkTurn } from '#shared/domain/transcriptions/parts/work-turn.ts';
import { StoredLocation } from './stored-location.ts';

const PartRow = z.object({
  organizationId: OrganizationId,
  workId: z.string(),
  part: z.int(),
  state: z.enum(partStates),
  participantId: z.nullable(z.string()),
  from: z.number(),
  to: z.number(),
  file: z.optional(StoredLocation),
  container: z.optional(z.enum(mediaContainers)),
  submittedSeconds: z.number(),
  jobStartedAt: z.optional(z.string()),
  failureCode: z.optional(z.enum(failureCodes)),
});

const HeadRow = z.object({
  organizationId: OrganizationId,
  workId: z.string(),
  planKey: z.string(),
  partCount: z.int(),
  endedParts: z.int(),
  isCounted: z.optional(z.boolean()),
});

const TurnRow = z.object({ turnId: z.string(), until: z.string(), storedParts: z.int(), attempts: z.int() });

/** A part from its item. Throws if the item has another shape, because that is a defect. */
export function toPart(item: Record<string, unknown>): TranscriptionPart {
  return PartRow.parse(item);
}

/** The head of a work from its item. */
export function toWork(item: Record<string, unknown>): Work {
  return HeadRow.parse(item);
}

/** The turn of a work from its item. */
export function toTurn(item: Record<string, unknown>): WorkTurn {
  return TurnRow.parse(item);
}
