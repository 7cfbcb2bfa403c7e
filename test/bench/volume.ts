import { organizationShards } from '#shared/storage/insights/keys.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { capacityMeter } from '../support/capacity-meter.ts';
import { minuteClock } from '../support/insight-consumption.ts';
import { type InsightTables, insightFunctions } from '../support/insight-functions.ts';
import { type PartitionUnits, unitsOfPartitions } from '../support/partition-units.ts';
import { organizationId as asOrganization } from '../support/records.ts';
import { newGuest, newSession, platformOf } from '../support/session-events.ts';
import { withLocalRunner } from './local-runner.ts';
import type { Finding, Report } from './report.ts';

const organizationId = asOrganization('bench-volume-organization-'); // as long as a client ID of Cognito
const rooms = 300;
const parallel = 4;
/** Write units that one partition accepts in a second: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
const unitsPerSecond = 1000;
const goal = 2000;
/** What docs/access-patterns.md stated while all rooms of an organization were one partition. */
const before = { sessions: 305, leaves: 250 };

/** One event, the room that it concerns, and the units that it consumed. */
type Recorded = { readonly kind: string; readonly roomName: string; readonly units: readonly PartitionUnits[] };

/** Records a session of four people in each of many rooms, and computes how many events a second the busiest partition allows. */
export async function measureVolume(): Promise<Report> {
  return withLocalRunner(async ({ dynamodbUrl, tables }) => {
    const recorded = await recordSessions(() => {
      const meter = capacityMeter(clientSettings(dynamodbUrl));
      const insights = insightFunctions(meter.documents, tables as InsightTables);
      return async (event) => {
        const calls = meter.calls.length;
        await insights.record(event);
        return meter.calls.slice(calls).flatMap((call) => unitsOfPartitions(call, tables));
      };
    });
    const sessions = recorded.filter(({ kind }) => kind !== 'room created');
    const kinds = Map.groupBy(recorded, ({ kind }) => kind);
    return {
      setup:
        `One organization has ${rooms} rooms. In each a session of four people takes place, of whom the room knows one: 11 ` +
        "events, each in a batch of its own, through the worker's handler. The benchmark adds up the write units that the " +
        'local DynamoDB reports for every partition of every table and index. An organization reaches its ceiling when its ' +
        `busiest partition takes ${unitsPerSecond} units a second.`,
      findings: [
        ceilingOf(sessions),
        { goal: 'events of sessions a second, before', figure: String(before.sessions), spread: 'as documented' },
        ...[...kinds].map(([kind, events]) => ceilingOfKind(kind, events)),
        { goal: 'leaves alone, before', figure: String(before.leaves), spread: 'as documented' },
        sharedPartitions(sessions),
      ],
    };
  });
}

type Record = (event: PlatformEvent) => Promise<PartitionUnits[]>;

/** Records the sessions, several at once. Each lane has a meter of its own, because a meter cannot tell concurrent events apart. */
async function recordSessions(newRecorder: () => Record): Promise<Recorded[]> {
  const progress = openProgress(process.stderr);
  const recorded: Recorded[] = [];
  const free = Array.from({ length: parallel }, newRecorder);
  const names = Array.from({ length: rooms }, (_, index) => `/team/room-${String(index).padStart(3, '0')}`);
  let done = 0;
  await inParallel(names, parallel, async (roomName) => {
    const record = free.pop() ?? newRecorder();
    for (const [kind, event] of eventsOf(roomName)) {
      const units = await record(event);
      if (kind !== undefined) recorded.push({ kind, roomName, units });
    }
    free.push(record);
    done += 1;
    progress.show('Recording the sessions', done, rooms);
  });
  progress.end();
  return recorded;
}

/** The events of a room with their kinds. Those without a kind prepare the room: an earlier session, which one person joined. */
function eventsOf(roomName: string): (readonly [kind: string | undefined, event: PlatformEvent])[] {
  const platform = platformOf(organizationId, minuteClock());
  const [earlier, session, known] = [newSession(roomName), newSession(roomName), newGuest()];
  const [ada, ...others] = [
    { ...newGuest(), userId: known.userId },
    newGuest(),
    newGuest({ externalId: `crm-${session.roomSessionId.slice(0, 8)}` }),
    newGuest(),
  ] as const;
  return [
    ['room created', platform.created(roomName)],
    [undefined, platform.started(earlier)],
    [undefined, platform.joined(earlier, known)],
    ['session starts', platform.started(session)],
    ['join of a visitor whom the room knows', platform.joined(session, ada)],
    ...others.map((guest) => ['join of a new visitor', platform.joined(session, guest)] as const),
    ['rating', platform.rated(session, ada, 4)],
    ...[ada, ...others].map((guest) => ['leave', platform.left(session, guest)] as const),
    ['session ends', platform.ended(session)],
  ];
}

const sum = (units: readonly PartitionUnits[]) => units.reduce((total, each) => total + each.units, 0);
const nameOf = ({ place, partition }: PartitionUnits) => `${place} ${partition}`;
const allUnits = (events: readonly Recorded[]) => events.flatMap(({ units }) => units);

/** The events a second at which the busiest of all partitions reaches its limit. */
function ceilingOf(events: readonly Recorded[]): Finding {
  const partitions = [...Map.groupBy(allUnits(events), nameOf)].map(([name, units]) => ({ name, units: sum(units) }));
  const [busiest = { name: 'none', units: 0 }] = partitions.toSorted((one, other) => other.units - one.units);
  const figure = Math.floor((unitsPerSecond * events.length) / busiest.units);
  return {
    goal: `events of sessions a second before the busiest partition is full: at least ${goal}`,
    figure: String(figure),
    spread: `${busiest.name}: ${busiest.units} units for ${events.length} events, of ${partitions.length} partitions`,
    isMet: figure >= goal,
  };
}

/** The same for one kind of event alone, if the rooms are evenly spread over the shards of each index. */
function ceilingOfKind(kind: string, events: readonly Recorded[]): Finding {
  const ofIndexes = allUnits(events).filter(({ place }) => place.startsWith('rooms/'));
  const indexes = [...Map.groupBy(ofIndexes, ({ place }) => place)].map(([place, units]) => ({
    place,
    perEvent: sum(units) / events.length,
  }));
  const writes = `${(sum(allUnits(events)) / events.length).toFixed(1)} units for an event`;
  const [busiest] = indexes.toSorted((one, other) => other.perEvent - one.perEvent);
  if (busiest === undefined)
    return { goal: `${kind} alone`, figure: 'no ceiling', spread: `no room changes; ${writes}` };
  const shards = organizationShards(organizationId).length;
  const figure = Math.floor((unitsPerSecond * shards) / busiest.perEvent);
  return {
    goal: `${kind} alone, spread evenly over the shards: at least ${goal} a second`,
    figure: String(figure),
    spread: `${busiest.place}: ${busiest.perEvent.toFixed(2)} of ${writes}`,
    isMet: figure >= goal,
  };
}

/** Whether a partition that several rooms share, such as that of the notices, is busier than the shards of rooms. */
function sharedPartitions(events: readonly Recorded[]): Finding {
  const roomsOf = new Map<string, Set<string>>();
  const unitsOf = new Map<string, number>();
  for (const { roomName, units } of events) {
    for (const each of units) {
      const name = nameOf(each);
      roomsOf.set(name, (roomsOf.get(name) ?? new Set()).add(roomName));
      unitsOf.set(name, (unitsOf.get(name) ?? 0) + each.units);
    }
  }
  const shared = [...unitsOf].filter(([name]) => (roomsOf.get(name)?.size ?? 0) > 1);
  const isShard = (name: string) => organizationShards(organizationId).some((shard) => name.endsWith(` ${shard}`));
  const busiestOf = (some: typeof shared) => some.toSorted(([, one], [, other]) => other - one)[0] ?? ['none', 0];
  const [shard, most] = busiestOf(shared.filter(([name]) => isShard(name)));
  const [other, units] = busiestOf(shared.filter(([name]) => !isShard(name)));
  return {
    goal: 'no other partition that rooms share is busier than the busiest shard of rooms',
    figure: `${units} and ${most} units`,
    spread: `${other}, and ${shard}; ${shared.length} of ${roomsOf.size} partitions take the writes of more than one room`,
    isMet: units <= most,
  };
}
