import type { EventOf } from './events.ts';
import type { Random } from './random.ts';

type Data = EventOf<'room.client.spoke'>['data'];
type Client = Pick<Data, 'roomSessionId' | 'participantId'>;

const minuteMs = 60_000;
/** The share of minutes in which a participant says nothing. Nothing is sent for them. */
const silentMinutes = 0.4;
const turnMs = [500, 15_000] as const;
const pauseMs = [1_000, 20_000] as const;

/** Generates what a platform tells of when a participant spoke during a connection, one event for each minute with speech. */
export function createSpeech(
  random: Random,
  client: Client,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly sentAt: number; readonly data: Data }[] {
  const minutes = Array.from({ length: Math.ceil((to - from) / minuteMs) }, (_, index) => from + index * minuteMs);
  return minutes.flatMap((start) => {
    const end = Math.min(start + minuteMs, to);
    const intervals = random.chance(silentMinutes) ? [] : turns(random, start, end);
    return intervals.length > 0 ? [{ sentAt: end, data: { ...client, intervals } }] : [];
  });
}

function turns(random: Random, start: number, end: number): Data['intervals'] {
  const intervals: Data['intervals'] = [];
  for (let from = start + random.integer(...pauseMs); from < end; ) {
    const to = Math.min(end, from + random.integer(...turnMs));
    intervals.push({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
    from = to + random.integer(...pauseMs);
  }
  return intervals;
}
