import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { TranscriptionFilter, TranscriptionSortField } from '#shared/contracts/transcriptions/transcription.ts';
import { attributeNames, indexNames } from '#shared/runtime/names.ts';
import { filterPartition } from './keys.ts';

/** The index, the partition and the sort attribute of a list. */
type ListKey = {
  readonly index: string;
  readonly partition: readonly [name: string, value: string];
  readonly sortKey: string;
};

const organizationIndexes: Record<TranscriptionSortField, readonly [index: string, sortKey: string]> = {
  startDate: [indexNames.byStartDate, attributeNames.startDateSort],
  roomName: [indexNames.byRoomName, attributeNames.roomNameSort],
  durationInSeconds: [indexNames.byDurationInSeconds, attributeNames.durationInSecondsSort],
};

const filterIndexes: Record<TranscriptionFilter, Partial<typeof organizationIndexes>> = {
  roomName: {
    startDate: [indexNames.byRoomAndStartDate, attributeNames.startDateSort],
    // All items of a room have the same name, so the order of their start applies.
    roomName: [indexNames.byRoomAndStartDate, attributeNames.startDateSort],
    durationInSeconds: [indexNames.byRoomAndDurationInSeconds, attributeNames.durationInSecondsSort],
  },
  state: { startDate: [indexNames.byStateAndStartDate, attributeNames.startDateSort] },
  type: { startDate: [indexNames.byTypeAndStartDate, attributeNames.startDateSort] },
  roomSessionId: { startDate: [indexNames.bySessionAndStartDate, attributeNames.startDateSort] },
  recordingId: { startDate: [indexNames.byRecordingAndStartDate, attributeNames.startDateSort] },
};

/** The index and partition of a list of an organization's transcriptions, with or without a filter. */
export function listKey(
  organizationId: OrganizationId,
  field: TranscriptionSortField,
  filter?: readonly [name: TranscriptionFilter, value: string],
): ListKey {
  const [index, sortKey] = (filter ? filterIndexes[filter[0]] : organizationIndexes)[field] ?? [];
  if (!index || !sortKey) throw new Error(`No index has ${field} of one ${filter?.[0]}.`); // the contract rejects such a query before
  return {
    index,
    sortKey,
    partition: filter ? filterPartition(organizationId, filter) : [attributeNames.organizationId, organizationId],
  };
}
