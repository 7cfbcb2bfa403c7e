import * as z from 'zod/mini';
import {
  Identifier,
  PartOfRoomName,
  pageOf,
  queryInteger,
  RoomName,
  type SortDirection,
  sortOrder,
  Timestamp,
  Uuid,
} from '../common/fields.ts';
import { excludes, inPlainNames, isLater, sortsBy, spellingsOf } from '../common/query-rules.ts';
import {
  ParticipantSessionDetail,
  participantSortFields,
  RoomInsight,
  RoomSessionInsight,
  type RoomSortField,
  roomSessionSortFields,
  roomSortFields,
  SessionParticipant,
} from './insights.ts';

// What the operations on insights take and return. Workers do not load it.

const paging = { cursor: z.optional(z.string()), limit: z._default(queryInteger(1, 100), 10) };

const created = spellingsOf('createdAt');

/** Query of the rooms. All filters apply together, in any order of the list. `roomOrder` gives the default order. */
export const ListRoomInsights = inPlainNames(
  z
    .strictObject({
      'roomName[exact]': z.optional(RoomName),
      'roomName[startsWith]': z.optional(RoomName),
      roomNamePrefix: z.optional(RoomName),
      'roomName[contains]': z.optional(PartOfRoomName),
      'createdAt[from]': z.optional(Timestamp),
      createdAtFrom: z.optional(Timestamp),
      'createdAt[to]': z.optional(Timestamp),
      createdAtTo: z.optional(Timestamp),
      ...paging,
      sortBy: z.optional(sortOrder(roomSortFields)),
    })
    .check(isLater(created.to, created.from)),
  {
    'roomName[exact]': 'roomNameExact',
    'roomName[startsWith]': 'roomNamePrefix',
    'roomName[contains]': 'roomNameContains',
    'createdAt[from]': 'createdAtFrom',
    'createdAt[to]': 'createdAtTo',
  },
);
export type ListRoomInsights = z.infer<typeof ListRoomInsights>;

/** The order of the rooms: the requested one, or that of a filter that an index serves, or the most recently used room first. */
export function roomOrder(query: ListRoomInsights): {
  readonly field: RoomSortField;
  readonly direction: SortDirection;
} {
  if (query.sortBy) return query.sortBy;
  if (query.roomNamePrefix !== undefined) return { field: 'roomName', direction: 'asc' };
  const isOfTime = query.createdAtFrom !== undefined || query.createdAtTo !== undefined;
  return { field: isOfTime ? 'createdAt' : 'lastSessionStartedAt', direction: 'desc' };
}

const started = spellingsOf('startedAt');
const startedRange = [...started.from, ...started.to];

/** Query of the sessions of one room. */
export const ListRoomSessionInsights = inPlainNames(
  z
    .strictObject({
      roomName: z.optional(RoomName),
      'roomName[exact]': z.optional(RoomName),
      roomSessionId: z.optional(Uuid),
      'startedAt[from]': z.optional(Timestamp),
      startedAtFrom: z.optional(Timestamp),
      'startedAt[to]': z.optional(Timestamp),
      startedAtTo: z.optional(Timestamp),
      ...paging,
      sortBy: z.prefault(sortOrder(roomSessionSortFields), 'startedAt:desc'),
    })
    .check(
      excludes('roomSessionId', startedRange),
      isLater(started.to, started.from),
      sortsBy('startedAt', startedRange),
    ),
  { 'roomName[exact]': 'roomName', 'startedAt[from]': 'startedAtFrom', 'startedAt[to]': 'startedAtTo' },
  ['roomName'],
);
export type ListRoomSessionInsights = z.infer<typeof ListRoomSessionInsights>;

/** Query of participants: by session, by external id, or by both. */
export const ListParticipants = z
  .strictObject({
    roomSessionId: z.optional(Uuid),
    externalId: z.optional(Identifier),
    ...paging,
    sortBy: z.prefault(sortOrder(participantSortFields), 'joinedAt:asc'),
  })
  .check(
    z.refine(({ roomSessionId, externalId }) => roomSessionId !== undefined || externalId !== undefined, {
      error: 'is required, unless externalId is given',
      path: ['roomSessionId'],
    }),
  );
export type ListParticipants = z.infer<typeof ListParticipants>;

/** Query of one participant's connections. It returns samples from `from` (inclusive) to `to` (exclusive). */
export const GetParticipant = z
  .strictObject({
    roomSessionId: Uuid,
    participantId: Identifier,
    from: z.optional(Timestamp),
    to: z.optional(Timestamp),
  })
  .check(isLater(['to'], ['from']));
export type GetParticipant = z.infer<typeof GetParticipant>;

/** One page of rooms. */
export const RoomInsightPage = pageOf(RoomInsight);
export type RoomInsightPage = z.infer<typeof RoomInsightPage>;

/** One page of a room's sessions. */
export const RoomSessionInsightPage = pageOf(RoomSessionInsight);
export type RoomSessionInsightPage = z.infer<typeof RoomSessionInsightPage>;

/** One page of participants. */
export const SessionParticipantPage = pageOf(SessionParticipant);
export type SessionParticipantPage = z.infer<typeof SessionParticipantPage>;

/** A participant's connections in the order of joining. Empty if none is known. */
export const ParticipantSessionDetails = z.array(ParticipantSessionDetail);
