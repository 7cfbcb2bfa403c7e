import { type IndexName, participantPartitions, sortIndexName } from '../names.ts';
import type { Endpoint } from './endpoint.ts';
import {
  GetParticipant,
  ListParticipants,
  ListRoomInsights,
  ListRoomSessionInsights,
  ParticipantSessionDetails,
  participantSortFields,
  RoomInsightPage,
  RoomSessionInsightPage,
  roomIndexFields,
  roomSessionSortFields,
  SessionParticipantPage,
} from './insights.ts';

const indexesOf = (fields: readonly string[], partition?: string): IndexName[] =>
  fields.map((field) => sortIndexName(field, partition));

/** The endpoints of the insights. A list is a query of one index, and a read of what it names; rooms by name, a query of the table. */
export const insightEndpoints = {
  listRoomInsights: {
    operationId: 'list-room-insights',
    tag: 'insights',
    method: 'GET',
    path: '/v1/insights/rooms',
    points: 1,
    query: ListRoomInsights,
    successStatus: 200,
    response: RoomInsightPage,
    access: { tables: { rooms: ['BatchGetItem', 'Query'] }, queries: { rooms: indexesOf(roomIndexFields) } },
    narrowedBy: ['limit'],
  },
  listRoomSessionInsights: {
    operationId: 'list-room-session-insights',
    tag: 'insights',
    method: 'GET',
    path: '/v1/insights/room-sessions',
    points: 1,
    query: ListRoomSessionInsights,
    successStatus: 200,
    response: RoomSessionInsightPage,
    access: {
      tables: { roomSessions: ['BatchGetItem'] },
      queries: { roomSessions: indexesOf(roomSessionSortFields) },
    },
    narrowedBy: ['limit'],
  },
  listParticipants: {
    operationId: 'list-participants',
    tag: 'insights',
    method: 'GET',
    path: '/v1/insights/participants',
    points: 1,
    query: ListParticipants,
    successStatus: 200,
    response: SessionParticipantPage,
    access: {
      tables: { participants: ['BatchGetItem'] },
      queries: { participants: participantPartitions.flatMap((name) => indexesOf(participantSortFields, name)) },
    },
    narrowedBy: ['limit'],
  },
  getParticipant: {
    operationId: 'get-participant',
    tag: 'insights',
    method: 'GET',
    path: '/v1/insights/participant',
    points: 1,
    query: GetParticipant,
    successStatus: 200,
    response: ParticipantSessionDetails,
    access: { tables: { insightFacts: ['Query'] } },
    narrowedBy: ['from', 'to'],
  },
} as const satisfies Record<string, Endpoint>;
