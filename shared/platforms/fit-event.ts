import { Identifier, RoomName } from '../contracts/common/fields.ts';
import { RoomEvent } from '../contracts/events.ts';
import type { PlatformSession } from '../domain/platforms/platform-session.ts';
import { eventIdOf } from './ids.ts';
import type { NewEvent } from './platform.ts';

/** An event as the queue takes it, and how many facts were lost: the event itself, or tracks in it. */
export type FittedEvent = { readonly event?: RoomEvent; readonly lost: number };

type Values = Readonly<Record<string, unknown>>;
type Fit = (text: string) => string | undefined;

const longestEventId = 128;
const roomNameBytes = 512;

/**
 * How each text of an event is made to fit. Some are chosen by guests, so a value that no event can have must not lose the fact that has it.
 * What names somebody or something stays another for each value and the same in every webhook: a name that does not fit gets a hash. A text that
 * people read is cut. An `externalId` that does not fit is left out, because no system knows its hash.
 */
const fits: Readonly<Record<string, Fit>> = {
  ...{ roomName: fitRoomName, participantId: fitIdentifier, deviceId: fitIdentifier, userId: fitIdentifier },
  connectionId: fitIdentifier,
  externalId: (text) => (Identifier.safeParse(text).success ? text : undefined),
  ...{ roleName: clip(64), displayName: clip(256), userAgent: clip(1024), comment: clip(5000), filename: clip(1024) },
};

/**
 * Makes an event of a translator fit the bounds of events, which no platform has. This is the one place that knows them. The same event always
 * fits in the same way, so a repeated webhook makes the same event. Without an event in the result, none can be made of it.
 */
export function fitEvent(event: NewEvent): FittedEvent {
  const id = event.id.length <= longestEventId && event.id.isWellFormed() ? event.id : eventIdOf(event.id);
  const fitted = { ...event, id, data: fitValues(event.data) };
  const parsed = RoomEvent.safeParse(fitted);
  if (parsed.success) return { event: parsed.data, lost: 0 };
  const wrong = new Set(parsed.error.issues.flatMap(({ path: [, list, at] }) => (list === 'tracks' && at) ?? []));
  const tracks = (fitted.data as { tracks?: readonly unknown[] }).tracks?.filter((_, at) => !wrong.has(at));
  const rest = RoomEvent.safeParse({ ...fitted, data: { ...fitted.data, tracks } });
  return rest.success ? { event: rest.data, lost: wrong.size } : { lost: 1 };
}

function fitValues(values: Values): Values {
  const fitted = Object.entries(values).map(([name, value]) => {
    if (name === 'tracks' && Array.isArray(value)) return [name, value.map(fitValues)];
    const fitText = fits[name];
    return [name, typeof value === 'string' && fitText ? fitText(value) : value];
  });
  return Object.fromEntries(fitted);
}

/** A session whose participants have ids as events have them. The row of a session is small, so a connection with a long id is left out. */
export function fitSession({ participants, ...session }: PlatformSession): PlatformSession {
  if (!participants) return session;
  const fitting = Object.entries(participants).filter(([connection]) => Identifier.safeParse(connection).success);
  return { ...session, participants: Object.fromEntries(fitting.map(([id, person]) => [id, fitIdentifier(person)])) };
}

/** An id of a person, a connection or a device. Its hash where it is none, so that its owner still counts. */
function fitIdentifier(id: string): string {
  return Identifier.safeParse(id).success ? id : eventIdOf(id);
}

/** The beginning of a name that is too long, and its hash, so that people recognize the room and no two rooms become one. */
export function fitRoomName(name: string): string {
  const named = name.startsWith('/') ? name : `/${name}`;
  if (RoomName.safeParse(named).success) return named;
  const hash = `#${eventIdOf(name)}`;
  const bytes = new TextEncoder().encode(named.replaceAll('\0', '')).subarray(0, roomNameBytes - hash.length);
  return `${new TextDecoder().decode(bytes, { stream: true })}${hash}`; // a character that was cut in two is left out
}

/** The first `length` UTF-16 units of a text, as valid Unicode. */
function clip(length: number): Fit {
  return (text) => text.slice(0, length).toWellFormed();
}
