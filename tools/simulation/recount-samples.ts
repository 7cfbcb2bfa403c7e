import type { ParticipantEvent, ParticipantSessionDetail } from '#shared/contracts/insights/insights.ts';
import { byTime, type EventOf, timeOf } from './events.ts';
import { type Connection, clockToleranceMs } from './recount-connections.ts';
import { eventsOf, type Stay } from './recount-stays.ts';

type SampledEvent = EventOf<'room.client.sampled'>;
type SeriesName = keyof ParticipantSessionDetail['samples'];
/** The four values of one moment. */
type Values = Readonly<Record<SeriesName, number | null>>;
/** A block of samples: an event, or an hour of it. */
type Part = {
  readonly eventId: string;
  readonly startedAt: number;
  readonly sampleRateMs: number;
  readonly samples: readonly Values[];
};

const maxPartMs = 3_600_000;
const maxPartSamples = 1800;
/** The part of an interval before its start in which a sample still counts to it. */
const earlyPart = 0.1;

/** The details of one participant in all sessions with one id. */
export function detailsOf(stays: readonly Stay[], sampledEvents: readonly SampledEvent[]): ParticipantSessionDetail[] {
  const events = new Map(stays.flatMap((stay) => [...eventsOf(stay)]));
  const connections = [...events.keys()].toSorted((one, other) => byTime(one.join, other.join));
  const parts = sampledEvents.flatMap(partsOf);
  // Of two blocks with the same start and event id, the first to arrive counts.
  const distinct = [
    ...Map.groupBy(parts, ({ startedAt, eventId }) => JSON.stringify([startedAt, eventId])).values(),
  ].flatMap(([first]) => first ?? []);
  const byConnection = Map.groupBy(distinct, ({ startedAt }) => connectionAt(connections, startedAt));
  return connections.map((connection) =>
    detailOf(connection, byConnection.get(connection) ?? [], events.get(connection) ?? []),
  );
}

function partsOf({ id: eventId, data }: SampledEvent): Part[] {
  const { sampleRateMs, packetLossSend } = data;
  const samples = packetLossSend.map((_, index) => eachSeries((name) => data[name][index] ?? null));
  const size = Math.min(maxPartSamples, Math.floor(maxPartMs / sampleRateMs));
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => ({
    eventId,
    startedAt: Date.parse(data.startedAt) + index * size * sampleRateMs,
    sampleRateMs,
    samples: samples.slice(index * size, (index + 1) * size),
  }));
}

function connectionAt(connections: readonly Connection[], time: number): Connection | undefined {
  return connections.findLast(({ join }) => timeOf(join) <= time + clockToleranceMs) ?? connections[0];
}

function detailOf(
  { join }: Connection,
  parts: readonly Part[],
  events: readonly ParticipantEvent[],
): ParticipantSessionDetail {
  const { displayName, roleName, userAgent } = join.data;
  const timeStamp = new Date(timeOf(join)).toISOString();
  const sampleRateMs = parts.length > 0 ? Math.min(...parts.map((part) => part.sampleRateMs)) : null;
  const intervals = sampleRateMs === null ? [] : intervalsOf(parts, timeOf(join), sampleRateMs);
  return {
    displayName,
    userRole: roleName,
    userAgent: userAgent ?? '',
    timeStamp,
    samplesFrom: timeStamp,
    sampleRateMs: sampleRateMs ?? 2_000,
    samples: eachSeries((name) => Array.from(intervals, (values) => values?.[name] ?? null)),
    events: [...events],
  };
}

/** The values of each interval from `joinedAt` to the last sample. Undefined for an interval without a sample. */
function intervalsOf(parts: readonly Part[], joinedAt: number, sampleRateMs: number): (Values | undefined)[] {
  const intervals: (Values | undefined)[] = [];
  for (const part of parts.toSorted(byBeginning)) {
    for (const [number, values] of part.samples.entries()) {
      const takenAt = part.startedAt + number * part.sampleRateMs;
      const interval = Math.floor((takenAt - joinedAt) / sampleRateMs + earlyPart);
      if (interval >= 0) intervals[interval] = values;
    }
  }
  return intervals;
}

function byBeginning(one: Part, other: Part): number {
  return one.startedAt - other.startedAt || (one.eventId < other.eventId ? -1 : 1);
}

function eachSeries<Value>(make: (name: SeriesName) => Value): Record<SeriesName, Value> {
  return {
    packetLossSend: make('packetLossSend'),
    packetLossRecv: make('packetLossRecv'),
    bitrateSend: make('bitrateSend'),
    bitrateRecv: make('bitrateRecv'),
  };
}
