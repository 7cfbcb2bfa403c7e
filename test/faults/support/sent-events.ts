import { RoomEvent } from '#shared/contracts/events.ts';
import { ClientSampled } from '#shared/contracts/network-samples.ts';
import type { QueueName } from '#shared/names.ts';
import type { PlatformEvent } from '../../../tools/simulation/events.ts';

const insightTypes = /^room\./;

/** What a platform has said of rooms and sessions, as far as the service can read it: what the insights must agree with. */
export class SentEvents {
  readonly #byOrganization = new Map<string, Map<string, PlatformEvent>>();
  readonly #news = new Set<string>();

  /** Takes note of a message to a queue. */
  note(queue: QueueName, body: string): void {
    const event: unknown = isJson(body) ? JSON.parse(body) : undefined;
    if (!isAccepted(queue, event)) return;
    const events = this.#byOrganization.get(event.organizationId) ?? new Map<string, PlatformEvent>();
    events.set(body, event);
    this.#byOrganization.set(event.organizationId, events);
    this.#news.add(event.organizationId);
  }

  /** Everything of one organization, each message once. */
  of(organizationId: string): PlatformEvent[] {
    return [...(this.#byOrganization.get(organizationId)?.values() ?? [])];
  }

  /** The organizations that something was said of since this was asked last. */
  takeNews(): string[] {
    const news = [...this.#news];
    this.#news.clear();
    return news;
  }
}

function isAccepted(queue: QueueName, event: unknown): event is PlatformEvent {
  if (queue === 'networkSamples') return ClientSampled.safeParse(event).success;
  if (queue !== 'roomEvents') return false;
  const parsed = RoomEvent.safeParse(event);
  return parsed.success && insightTypes.test(parsed.data.type);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
