import type { HookMessage } from '#shared/contracts/messages.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection, PlatformName } from '#shared/contracts/platforms/connection.ts';
import type { TimeBounds } from '#shared/domain/insights/event-times.ts';
import { isNear, type PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { mayName, namesOwnFiles, type ServiceBuckets } from '#shared/domain/transcriptions/connection-files.ts';
import { hooksFolder } from '#shared/domain/transcriptions/transcript-location.ts';
import { fitEvent, fitRoomName, fitSession } from '#shared/platforms/fit-event.ts';
import type { Hook, HookState, NewEvent, Platform, Translation } from '#shared/platforms/platform.ts';
import { concerns } from '#shared/platforms/session-at.ts';
import { InvalidRequest, UnreadableMessage } from '#shared/runtime/errors.ts';
import type { AssertTimeLeft } from '#shared/runtime/time-left.ts';
import type { SessionStore } from '../insights/ports.ts';
import type {
  ConnectionStore,
  HookStore,
  ManifestReader,
  PlatformRoom,
  PlatformSessionStore,
  SessionChange,
  Wait,
} from './ports.ts';

/**
 * For how long a webhook waits for news that would decide between an open session and the next one. Platforms announce a session within
 * seconds, also if they must try again.
 */
const patienceMs = 60_000;

/** The most events of one webhook: more than a platform can tell of a meeting in 1 MiB. */
export const maxEventsPerHook = 20_000;
/** A message sends at most so many events, and the next one goes on. So a large webhook takes no more time than others. */
export const eventsPerTurn = 1_000;

/** What translates webhooks. */
export type TranslateHookDependencies = {
  readonly connections: ConnectionStore;
  readonly hooks: Pick<HookStore, 'get'>;
  readonly sessions: PlatformSessionStore;
  /** The sessions of insights, of which somebody may have closed one that the platform did not end. */
  readonly insights: SessionStore;
  readonly timeBounds: TimeBounds;
  readonly manifests: ManifestReader;
  readonly platforms: Readonly<Record<PlatformName, Platform>>;
  readonly buckets: ServiceBuckets;
  /** Sends pointers to webhooks of a connection. */
  readonly sendHooks: (
    connection: Omit<PlatformRoom, 'roomName'>,
    messages: readonly HookMessage[],
    options?: { readonly delaySeconds?: number },
  ) => Promise<void>;
  readonly now?: () => Date;
  /** Sends events of an organization, which arrived with a webhook at this time. */
  readonly sendEvents: (
    organizationId: OrganizationId,
    events: readonly NewEvent[],
    options: { readonly firstSentAt: Date },
  ) => Promise<void>;
};

/** What became of a webhook. It is gone if its connection or its body is. */
export type TranslatedHook =
  | { readonly gone: 'connection' | 'body' }
  | {
      readonly gone?: never;
      readonly events: number;
      readonly isParked: boolean;
      readonly failedJoins: number;
      /** Events of the webhook, or parts of it, that are no valid events. */
      readonly dropped: number;
      readonly foreignFiles: number;
    };

/**
 * Turns a stored webhook into events. Everything here is safe to repeat: sessions are remembered before events are sent, a webhook whose
 * session is not known is parked before the sessions are read once more, and a change of a session is settled only after the
 * parked webhooks of its room were sent again. So of a session and a webhook that waits for it, the later one sees the other, whenever a
 * process dies. The message sends the events from its offset on. If there are more than a turn of them, another message goes on.
 */
export async function translateHook(
  deps: TranslateHookDependencies,
  { connectionId, key, offset = 0 }: Pick<HookMessage, 'connectionId' | 'key' | 'offset'>,
  assertTimeLeft: AssertTimeLeft,
): Promise<TranslatedHook> {
  const connection = await deps.connections.find(connectionId);
  if (!connection) return { gone: 'connection' };
  if (!key.startsWith(hooksFolder(connection)))
    throw new UnreadableMessage([{ path: 'key', message: 'must be that of a webhook of the connection' }]);
  const stored = await deps.hooks.get(key);
  if (!stored) return { gone: 'body' };
  const { payload, receivedAt, digest } = stored;
  const hook: Hook = { payload, receivedAt, digest, connection };
  const { translation, endWait } = await translate(deps, hook, key);
  const { events, sessions = [], waits = false, failedJoins = 0, unreadable = 0 } = translation;
  if (events.length > maxEventsPerHook)
    throw new UnreadableMessage([{ path: 'payload', message: `must have at most ${maxEventsPerHook} events` }]);

  const near = sessions.filter((session) => isNear(session, new Date(receivedAt), deps.timeBounds));
  const changes = await remember(deps, connection, near);
  const { organizationId } = connection; // whatever a translator says, an event belongs to the organization of its connection
  const turn = events.slice(offset, offset + eventsPerTurn);
  const owned = turn.filter((event) => namesOwnFiles(connection, event, deps.buckets));
  const fitted = owned.map((event) => fitEvent({ ...event, organizationId }));
  const fitting = fitted.flatMap(({ event }) => event ?? []);
  assertTimeLeft();
  await deps.sendEvents(organizationId, fitting, { firstSentAt: new Date(receivedAt) });
  const next = offset + turn.length;
  if (next < events.length) await deps.sendHooks(connection, [{ organizationId, connectionId, key, offset: next }]);
  await endWait();
  for (const change of changes) await sendParked(deps, change, assertTimeLeft);
  const isFirst = offset === 0;
  return {
    ...{ events: fitting.length, isParked: waits, failedJoins: isFirst ? failedJoins : 0 },
    dropped: fitted.reduce((sum, { lost }) => sum + lost, isFirst ? unreadable : 0),
    foreignFiles: turn.length - owned.length,
  };
}

/**
 * Translates a webhook, and once more if it waits: its session may have been remembered before others could see it wait. If an open session
 * may be the one, the webhook comes again after a while. Then the session takes it, unless it was closed meanwhile.
 */
async function translate(deps: TranslateHookDependencies, hook: Hook, key: string) {
  const platform = deps.platforms[hook.connection.platform];
  const needed = platform.roomOf?.(hook);
  const room = needed && roomOf(hook.connection, needed.roomName);
  const read = async () => (room ? deps.sessions.sessionsOf(room, needed?.latestStart) : []);
  const [sessions, manifest] = await Promise.all([read(), readManifest(deps, platform, hook)]);
  const first = translated(platform, hook, { sessions, manifest });
  if (!first.waits) return { translation: first, endWait: async () => {} };
  if (!room) throw new Error('A webhook waits for a session, and names no room.');
  const parked = await deps.sessions.park(room, { key, time: needed?.time, receivedAt: hook.receivedAt });
  const known = await read();
  const second = translated(platform, hook, { sessions: known, manifest });
  const falls = await fallsToOpenSession(deps, room, parked, second);
  const translation = falls ? translated(platform, hook, { sessions: known, manifest, hasWaited: true }) : second;
  const endWait = async () => {
    if (!translation.waits) await deps.sessions.unpark(room, [parked]);
  };
  return { translation, endWait };
}

/** A body that cannot be translated stays so, however often it is tried. */
function translated(platform: Platform, hook: Hook, state: HookState): Translation {
  try {
    return platform.translate(hook, state);
  } catch (cause) {
    if (cause instanceof InvalidRequest) throw new UnreadableMessage(cause.issues, { cause });
    throw cause;
  }
}

/** Whether a webhook has waited long enough for the open session that may be its own. If it has not, its pointer is sent for then. */
async function fallsToOpenSession(
  { insights, sendHooks, now = () => new Date() }: TranslateHookDependencies,
  room: PlatformRoom,
  { key, since }: Wait,
  { mayBe }: Translation,
): Promise<boolean> {
  if (!mayBe) return false;
  const { organizationId, connectionId } = room;
  const leftMs = Date.parse(since) + patienceMs - now().getTime();
  if (leftMs > 0) {
    const delaySeconds = Math.ceil(leftMs / 1000);
    await sendHooks(room, [{ organizationId, connectionId, key }], { delaySeconds });
    return false;
  }
  const session = await insights.find({ organizationId, ...mayBe, roomName: fitRoomName(mayBe.roomName) });
  return !session?.endedAt;
}

function roomOf({ organizationId, connectionId }: Connection, roomName: string): PlatformRoom {
  return { organizationId, connectionId, roomName };
}

/** A manifest is read only where the recordings of the connection may be. */
async function readManifest(
  { manifests, buckets }: TranslateHookDependencies,
  platform: Platform,
  hook: Hook,
): Promise<unknown> {
  const location = platform.manifestOf?.(hook);
  return location && mayName(hook.connection, location, buckets) ? manifests.read(location) : undefined;
}

/** A change of a session for which the parked webhooks of its room have not been sent again. */
type Change = SessionChange & { readonly room: PlatformRoom };

async function remember(
  { sessions: store }: TranslateHookDependencies,
  connection: Connection,
  sessions: readonly PlatformSession[],
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const session of sessions) {
    const room = roomOf(connection, session.roomName);
    const change = await store.remember(room, fitSession(session));
    if (change) changes.push({ ...change, room });
  }
  return changes;
}

/**
 * Sends the parked webhooks again for which the change can decide something. A webhook is sent before its wait ends: if the process dies
 * between the two, it is sent twice.
 */
async function sendParked(
  { sessions, sendHooks }: TranslateHookDependencies,
  { room, session, id }: Change,
  assertTimeLeft: AssertTimeLeft,
): Promise<void> {
  const { organizationId, connectionId } = room;
  for await (const parked of sessions.parked(room)) {
    assertTimeLeft();
    const hooks = parked.filter(({ time }) => time === undefined || concerns(session, time));
    await sendHooks(
      room,
      hooks.map(({ key }) => ({ organizationId, connectionId, key })),
    );
    await sessions.unpark(room, hooks);
  }
  await sessions.settle(room, session, id);
}
