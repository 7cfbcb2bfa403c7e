import type { Api, CallOptions } from './api.ts';
import { type List, listOf } from './list.ts';
import type { RowPage } from './rows.ts';
import type {
  GetParticipant,
  GetSessionNetwork,
  ListParticipants,
  ListRoomInsights,
  ListRoomSessionInsights,
  ListUsage,
  ParticipantSessionDetail,
  RoomInsight,
  RoomSessionInsight,
  RowFormat,
  SessionMinute,
  SessionParticipant,
  UsageDay,
} from './types.ts';

/** The operations on insights. */
export class Insights {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Lists the rooms with their totals. By default, the most recently used room comes first. */
  listRooms(query: ListRoomInsights = {}, options: CallOptions = {}): List<RoomInsight> {
    return listOf(query, this.#api.pages('listRoomInsights', options));
  }

  /** Lists the sessions of one room. By default, the latest session comes first. */
  listRoomSessions(query: ListRoomSessionInsights, options: CallOptions = {}): List<RoomSessionInsight> {
    return listOf(query, this.#api.pages('listRoomSessionInsights', options));
  }

  /** Lists the participants of a session, with an external id, or both. */
  listParticipants(query: ListParticipants, options: CallOptions = {}): List<SessionParticipant> {
    return listOf(query, this.#api.pages('listParticipants', options));
  }

  /** Returns the connections of one participant with their network samples, in the order of joining. */
  getParticipant(query: GetParticipant, options: CallOptions = {}): Promise<ParticipantSessionDetail[]> {
    return this.#api.json('getParticipant', { query }, options);
  }

  /** Returns the same connections as text, one row for each. */
  getParticipantRows(query: GetParticipant, format: RowFormat, options: CallOptions = {}): Promise<RowPage> {
    return this.#api.rows('getParticipant', { query }, format, options);
  }

  /** Lists the minutes of a session in the order of time, each with figures of the network of all participants. */
  getSessionNetwork(query: GetSessionNetwork, options: CallOptions = {}): List<SessionMinute> {
    return listOf(query, this.#api.pages('getSessionNetwork', options));
  }

  /** Lists what was used, by day and room. By default, of the current month (UTC). */
  listUsage(query: ListUsage = {}, options: CallOptions = {}): List<UsageDay> {
    return listOf(query, this.#api.pages('listUsage', options));
  }
}
