import type { Endpoint } from './endpoint.ts';
import {
  GetParticipant,
  ListParticipants,
  ListRoomInsights,
  ListRoomSessionInsights,
  ParticipantSessionDetails,
  RoomInsightPage,
  RoomSessionInsightPage,
  SessionParticipantPage,
} from './insights.ts';

/** The endpoints of the insights. */
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
    narrowedBy: ['from', 'to'],
  },
} as const satisfies Record<string, Endpoint>;
