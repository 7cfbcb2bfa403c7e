import { RoomEvent } from '#shared/contracts/events.ts';
import { MeasuredEvent } from '#shared/contracts/insights/network-samples.ts';
import type { QueueName } from '#shared/runtime/names.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';

const insightTypes = /^(room|fact)\./;

/** The readable events of rooms and sessions that were sent. The insights must agree with them. */
export class SentEvents {
  readonly #byOrganization = new Map<string, Map<string, PlatformEvent>>();
  readonly #changed = new Set<string>();

  /** Records a message that was sent to a queue. */
  record(queue: QueueName, body: string): void {
    const event: unknown = isJson(body) ? JSON.parse(body) : undefined;
    if (!isAccepted(queue, event)) return;
    const events = this.#byOrganization.get(event.organizationId) ?? new Map<string, PlatformEvent>();
    events.set(body, event);
    this.#byOrganization.set(event.organizationId, events);
    this.#changed.add(event.organizationId);
  }

  /** All events of one organization, each once. */
  of(organizationId: string): PlatformEvent[] {
    return [...(this.#byOrganization.get(organizationId)?.values() ?? [])];
  }

  /** Forgets the events of an organization whose insights no longer follow from them. */
  forget(organizationId: string): void {
    this.#byOrganization.delete(organizationId);
    this.#changed.delete(organizationId);
  }

  /** The organizations with new events since the last call. */
  takeChangedOrganizations(): string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }
}

function isAccepted(queue: QueueName, event: unknown): event is PlatformEvent {
  if (queue === 'networkSamples') return MeasuredEvent.safeParse(event).success;
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
