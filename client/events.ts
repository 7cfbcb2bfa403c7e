import type { Api, CallOptions } from './api.ts';
import { type List, listOf } from './list.ts';
import type { ListRefusedEvents, RefusedEvent } from './types.ts';

/** The operations on the events that the platform sends. */
export class Events {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Lists the events of the last 14 days that the service refused, and why. The latest comes first. */
  listRefused(query: ListRefusedEvents = {}, options: CallOptions = {}): List<RefusedEvent> {
    return listOf(query, this.#api.pages('listRefusedEvents', options));
  }
}
