import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Timestamp } from '#shared/contracts/common/fields.ts';
import { RoomEvent } from '#shared/contracts/events.ts';
import { type Connection, type PlatformName, platformNames } from '#shared/contracts/platforms/connection.ts';
import type { PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { fitEvent } from '#shared/platforms/fit-event.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { AppError } from '#shared/runtime/errors.ts';

// Reads every webhook in the fixtures of one platform with a long text in place of each of its texts, and the events that it means with a long
// text in place of each of theirs. A test runs it as a process of its own, and kills it if it takes too long: its one argument is the platform.

const length = 1024 * 1024;
/** What patterns look for, again and again without its end. */
const longTexts = ['T', 'a.s3.', '-1/'].map((part) => part.repeat(length / part.length));
const addresses = longTexts.flatMap((text) => [`https://${text}/k`, `s3://b/${text}`]);

type Path = readonly string[];
/** What a translator knows besides the payload. */
type Fixture = {
  readonly settings?: Connection['settings'];
  readonly sessions?: readonly PlatformSession[];
  readonly manifest?: unknown;
};

function pathsOfTexts(value: unknown, at: Path = []): Path[] {
  if (typeof value === 'string') return [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => pathsOfTexts(inner, [...at, name]));
}

function replaced(value: unknown, [name, ...rest]: Path, by: string): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === name ? replaced(each, rest, by) : each));
  return { ...(value as object), [name]: replaced((value as Record<string, unknown>)[name], rest, by) };
}

/** Webhooks of many people in one room, whose name is as long as all of them together, and of many files. */
const half = 'x'.repeat(length / 2);
const jids = Array.from({ length: 5000 }, (_, index) => `n${index}@meet.example/r`);
const room = { room_name: half, room_jid: half, created_at: 1, destroyed_at: 2 };
const file = { location: `https://${'a.s3.'.repeat(1600)}x/k`, filename: 'k', startedAt: '1', endedAt: '2' };
const crowds: Partial<Record<PlatformName, object>> = {
  livekit: {
    event: 'egress_ended',
    egressInfo: { egressId: 'e', roomId: 'r', roomName: 'n', status: 3, fileResults: Array(2000).fill(file) },
  },
  jitsi: {
    ...{ event_name: 'muc-room-destroyed', ...room },
    all_occupants: jids.map((jid) => ({ occupant_jid: jid, joined_at: 1, left_at: 2 })),
  },
  jaas: {
    ...{ eventType: 'SPEAKER_STATS', idempotencyKey: half, sessionId: half, timestamp: 1, fqn: half },
    data: Object.fromEntries(jids.map((jid) => [jid, { time: 1 }])),
  },
};

const root = path.resolve(import.meta.dirname, '../../../shared/platforms');
const name = platformNames.find((each) => each === process.argv[2]);
if (name === undefined) throw new Error('The argument is the name of a platform.');
const { name: platform, roomOf, manifestOf, translate } = platforms[name];
const tried = new Set<string>();

/** Translates a webhook as translate-hooks does. It can be refused. */
function tryPayload(payload: unknown, { settings = {}, sessions = [], manifest }: Fixture = {}) {
  const connection = { connectionId: 'c'.repeat(43), organizationId: 'acme' as never, platform, settings };
  const time = '2026-01-01T00:00:00.000Z';
  const hook = { payload, connection: { ...connection, createdAt: time }, receivedAt: time, digest: 'd' };
  roomOf?.(hook);
  manifestOf?.(hook);
  try {
    for (const event of translate(hook, { sessions, manifest }).events) fitEvent(event);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

for (const text of longTexts) Timestamp.safeParse(text);
if (crowds[name]) tryPayload(crowds[name]);
for (const file of globSync(`${name}/fixtures/*.json`, { cwd: root })) {
  const fixture = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const { event, type, eventType, event_name } = fixture.payload;
  for (const place of pathsOfTexts(fixture.payload)) {
    const field = [event, type, eventType, event_name, ...place].join(' ');
    if (tried.has(field)) continue; // another fixture of the same type has it
    tried.add(field);
    for (const text of /location/i.test(field) ? addresses : longTexts)
      tryPayload(replaced(fixture.payload, place, text), fixture);
  }
  for (const event of fixture.translation.events)
    for (const place of pathsOfTexts(event)) {
      const field = [event.type, ...place].join(' ');
      if (tried.has(field)) continue;
      tried.add(field);
      for (const text of longTexts) RoomEvent.safeParse(replaced(event, place, text));
    }
}
process.stdout.write(`${tried.size} fields\n`);
