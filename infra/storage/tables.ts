import { participantSortFields, roomSessionSortFields, roomSortFields } from '#shared/contracts/insights/insights.ts';
import {
  attributeNames,
  dueDeliveries,
  indexNames,
  minuteSums,
  participantPartitions,
  rowsByOrganization,
  samplesByTime,
  sortAttributeName,
  sortIndexName,
  type TableName,
} from '#shared/runtime/names.ts';
import type { EntityTableProps, IndexSpec } from './entity-table.ts';

const byOrganization = attributeNames.organizationId;
const byRoom = attributeNames.organizationRoom;

/** The rows that a scheduled worker looks at, by the time from which it does. Only such rows have the attributes. */
const dueIndex: IndexSpec = {
  name: indexNames.byDueAt,
  partitionKey: attributeNames.dueShard,
  sortKey: attributeNames.dueAt,
  projection: 'keys',
};

/**
 * One index per sort field, for an organization and for one room. One index by start date for each other filter. One index of
 * unfinished transcriptions by due time.
 */
const transcriptionIndexes: readonly IndexSpec[] = [
  {
    name: indexNames.byStartDate,
    partitionKey: byOrganization,
    sortKey: attributeNames.startDateSort,
    projection: 'all',
  },
  {
    name: indexNames.byRoomName,
    partitionKey: byOrganization,
    sortKey: attributeNames.roomNameSort,
    projection: 'all',
  },
  {
    name: indexNames.byDurationInSeconds,
    partitionKey: byOrganization,
    sortKey: attributeNames.durationInSecondsSort,
    projection: 'all',
  },
  {
    name: indexNames.byRoomAndStartDate,
    partitionKey: byRoom,
    sortKey: attributeNames.startDateSort,
    projection: 'all',
  },
  {
    name: indexNames.byRoomAndDurationInSeconds,
    partitionKey: byRoom,
    sortKey: attributeNames.durationInSecondsSort,
    projection: 'all',
  },
  ...Object.entries({
    [indexNames.byStateAndStartDate]: attributeNames.organizationState,
    [indexNames.byTypeAndStartDate]: attributeNames.organizationType,
    [indexNames.bySessionAndStartDate]: attributeNames.organizationSession,
    [indexNames.byRecordingAndStartDate]: attributeNames.organizationRecording,
  }).map(([name, partitionKey]) => ({
    name,
    partitionKey,
    sortKey: attributeNames.startDateSort,
    projection: 'all' as const,
  })),
  dueIndex,
];

/** Rooms are also filtered by the time of their creation, in every order. It rarely changes, so it rarely costs a write. */
const createdAt = sortAttributeName('createdAt');
const roomIndexes = sortIndexes(roomSortFields, attributeNames.organizationShard).map((index) =>
  index.sortKey === createdAt ? index : { ...index, projection: [createdAt] },
);

/**
 * One index per sort field, with keys only: rooms, sessions and participants are written often, and a write does not cost
 * extra for an index whose entry does not change.
 */
function sortIndexes(fields: readonly string[], partitionKey: string, prefix?: string): IndexSpec[] {
  return fields.map((field) => ({
    name: sortIndexName(field, prefix),
    partitionKey,
    sortKey: sortAttributeName(field),
    projection: 'keys',
  }));
}

/** The index by which the erasure of an organization finds the rows of a table whose key does not name the organization. */
function erasureIndex(sortKey: string): IndexSpec {
  return { name: rowsByOrganization, partitionKey: byOrganization, sortKey, projection: 'keys' };
}

/** The keys and indexes of every table (docs/access-patterns.md). */
export const entityTables: Readonly<Record<TableName, Omit<EntityTableProps, 'removalPolicy' | 'encryptionKey'>>> = {
  recordings: { partitionKey: byOrganization, sortKey: attributeNames.recordingId },
  // The key is the file alone, so that a file has one owner. Only the erasure uses the index.
  recordingFiles: {
    partitionKey: attributeNames.fileLocation,
    indexes: [erasureIndex(attributeNames.recordingId)],
  },
  // One row for each file of a participant. The sort key begins with the recording.
  recordingTracks: { partitionKey: byOrganization, sortKey: attributeNames.trackKey },
  transcriptions: {
    partitionKey: byOrganization,
    sortKey: attributeNames.transcriptionId,
    indexes: transcriptionIndexes,
  },
  // The works that have several parts: a row for the work, and one for each part. The sort key begins with the work.
  transcriptionParts: { partitionKey: byOrganization, sortKey: attributeNames.partKey },
  // Who speaks in a transcription, beside its row, so that no index and no list has it.
  transcriptSpeakers: { partitionKey: byOrganization, sortKey: attributeNames.transcriptionId },
  rooms: {
    partitionKey: byRoom,
    indexes: roomIndexes,
  },
  roomSessions: {
    partitionKey: byRoom,
    sortKey: attributeNames.roomSessionId,
    indexes: [...sortIndexes(roomSessionSortFields, byRoom), dueIndex],
  },
  // Pages of sorted lists, which need no index, and the participants with an external id.
  participants: {
    partitionKey: attributeNames.organizationSession,
    sortKey: attributeNames.listKey,
    indexes: participantPartitions.flatMap((name) => sortIndexes(participantSortFields, name, name)),
  },
  // Logs of sessions, samples, visitors, creations of rooms and starts of sessions. All of them are read by key or by a range of keys.
  // The network of a session is read by time, over all its participants. Only blocks of samples are in the index.
  insightFacts: {
    partitionKey: attributeNames.factOwner,
    sortKey: attributeNames.factKey,
    indexes: [
      {
        name: samplesByTime,
        partitionKey: attributeNames.factOwner,
        sortKey: attributeNames.spanKey,
        projection: [minuteSums],
      },
    ],
  },
  // The key is the hash of a link's token, because the caller has nothing else. Only the erasure uses the index.
  accessLinks: {
    partitionKey: attributeNames.tokenHash,
    indexes: [erasureIndex(attributeNames.transcriptionId)],
  },
  rateLimits: { partitionKey: byOrganization, sortKey: attributeNames.minute },
  idempotencyKeys: { partitionKey: byOrganization, sortKey: attributeNames.operationKey },
  refusedEvents: { partitionKey: byOrganization, sortKey: attributeNames.receivedKey },
  // The key is the connection id alone, because a webhook has nothing else. Commands of operators list by the index.
  connections: {
    partitionKey: attributeNames.connectionId,
    indexes: [erasureIndex(attributeNames.connectionId)],
  },
  // Notices, by time. One that is not relayed yet is due. The stream begins their way out.
  notices: {
    partitionKey: byOrganization,
    sortKey: attributeNames.noticeKey,
    indexes: [dueIndex],
    streamsNewItems: true,
  },
  // One that has deliveries for later, or is parked, is due.
  webhooks: { partitionKey: byOrganization, sortKey: attributeNames.webhookId, indexes: [dueIndex] },
  // Deliveries of a webhook by the time of their notices. Only those that are still to be made are in the index.
  webhookDeliveries: {
    partitionKey: attributeNames.organizationWebhook,
    sortKey: attributeNames.deliveryKey,
    indexes: [
      {
        name: dueDeliveries,
        partitionKey: attributeNames.organizationWebhook,
        sortKey: attributeNames.dueKey,
        projection: 'keys',
      },
    ],
  },
  // What is counted of each room on each day, in the order of the days.
  usageDays: { partitionKey: byOrganization, sortKey: attributeNames.usageKey },
  // Sessions that a platform has announced and their starts, by connection and room, and the webhooks that wait for one.
  platformSessions: { partitionKey: byOrganization, sortKey: attributeNames.stateKey },
};
