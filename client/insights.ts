import type { Api, CallOptions } from './api.ts';
import { type List, listOf } from './list.ts';
import type {
  GetParticipant,
  ListParticipants,
  ListRoomInsights,
  ListRoomSessionInsights,
  ParticipantSessionDetail,
  RoomInsight,
  RoomSessionInsight,
  SessionParticipant,
} from './types.ts';

/** The operations on insights. */
export class Insights {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The rooms with their totals; those used last come first, unless the query says otherwise. */
  listRooms(query: ListRoomInsights = {}, options: CallOptions = {}): List<RoomInsight> {
    return listOf(query, (asked) => this.#api.json('listRoomInsights', { query: asked }, options));
  }

  /** The sessions of one room, the latest first, unless the query says otherwise. */
  listRoomSessions(query: ListRoomSessionInsights, options: CallOptions = {}): List<RoomSessionInsight> {
    return listOf(query, (asked) => this.#api.json('listRoomSessionInsights', { query: asked }, options));
  }

  /** Those who took part in a session, who came under an external id, or both at once. */
  listParticipants(query: ListParticipants, options: CallOptions = {}): List<SessionParticipant> {
    return listOf(query, (asked) => this.#api.json('listParticipants', { query: asked }, options));
  }

  /** The connections of one participant, with their network samples, in the order of joining. */
  getParticipant(query: GetParticipant, options: CallOptions = {}): Promise<ParticipantSessionDetail[]> {
    return this.#api.json('getParticipant', { query }, options);
  }
}
