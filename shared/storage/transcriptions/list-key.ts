import type { OrganizationId } from '../../contracts/organization.ts';
import type { TranscriptionFilter, TranscriptionSortField } from '../../contracts/transcription.ts';
import { attributeNames, indexNames } from '../../names.ts';
import { filterPartition } from './keys.ts';

/** Where a list is read: one index, one partition of it, and the attribute that orders it. */
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
    // One room has one name: all are ties, which stand in the order of their start.
    roomName: [indexNames.byRoomAndStartDate, attributeNames.startDateSort],
    durationInSeconds: [indexNames.byRoomAndDurationInSeconds, attributeNames.durationInSecondsSort],
  },
  state: { startDate: [indexNames.byStateAndStartDate, attributeNames.startDateSort] },
  type: { startDate: [indexNames.byTypeAndStartDate, attributeNames.startDateSort] },
  roomSessionId: { startDate: [indexNames.bySessionAndStartDate, attributeNames.startDateSort] },
  recordingId: { startDate: [indexNames.byRecordingAndStartDate, attributeNames.startDateSort] },
};

/** The index and partition that answer a list of an organization's transcriptions, or of those with one value of a filter. */
export function listKey(
  organizationId: OrganizationId,
  field: TranscriptionSortField,
  filter?: readonly [name: TranscriptionFilter, value: string],
): ListKey {
  const [index, sortKey] = (filter ? filterIndexes[filter[0]] : organizationIndexes)[field] ?? [];
  if (!index || !sortKey) throw new Error(`No index has ${field} of one ${filter?.[0]}.`); // the contract refuses it
  return {
    index,
    sortKey,
    partition: filter ? filterPartition(organizationId, filter) : [attributeNames.organizationId, organizationId],
  };
}
