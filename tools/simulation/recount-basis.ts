import type { Completeness } from '#shared/contracts/insights/insights.ts';
import { timeOf } from './events.ts';
import { type Connection, clockToleranceMs, kindOf } from './recount-connections.ts';
import type { SessionEvent } from './recount-events.ts';

/** What a platform did not tell. */
export type Missing = Completeness['missing'][number];

const order: readonly Missing[] = ['start', 'end', 'leave', 'participant'];

/** The completeness of something that misses these. */
export function completenessOf(missing: readonly Missing[]): Completeness {
  const kinds = order.filter((kind) => missing.includes(kind));
  return { state: kinds.length === 0 ? 'observed' : 'inferred', missing: kinds };
}

/** What a participant misses. */
export function missingOf(connections: readonly Connection[], strayLeaves: number): Missing[] {
  const leave = connections.some(({ missesLeave }) => missesLeave);
  const join = strayLeaves > 0 || connections.some((connection) => connection.join.inferred);
  return [...(leave ? (['leave'] as const) : []), ...(join ? (['participant'] as const) : [])];
}

/** The end of a session, and whether it is a guess that counts. Somebody who comes or goes after a guess contradicts it. */
export function endOf(events: readonly SessionEvent[]): { readonly endedAt: number | null; readonly isGuess: boolean } {
  const ends = events.filter(({ type }) => type === 'room.session.ended');
  const observed = ends.filter(({ inferred }) => !inferred).map(timeOf);
  if (observed.length > 0) return { endedAt: Math.max(...observed), isGuess: false };
  const guess = Math.max(...ends.map(timeOf));
  const signs = ['room.session.started', 'room.client.joined', 'room.client.left'];
  const isOver = ends.length > 0 && events.every((event) => !signs.includes(event.type) || timeOf(event) <= guess);
  return isOver ? { endedAt: guess, isGuess: true } : { endedAt: null, isGuess: false };
}

/** Whether an end is before some of the events, more than clocks differ. Then it was not the end. */
export function isBefore(endedAt: number | null, events: readonly SessionEvent[]): boolean {
  return endedAt !== null && events.some((event) => timeOf(event) - endedAt > clockToleranceMs);
}

/** What the numbers of clients that a platform counted show, compared with the connections at that time. */
export function missingByNumbers(comings: readonly SessionEvent[], connections: readonly Connection[]): Missing[] {
  return comings.flatMap((event): Missing[] => {
    const { numClients } = event.data as { readonly numClients?: number | null };
    if (event.inferred || numClients === undefined || numClients === null) return [];
    const now = timeOf(event);
    const isAlone = comings.every((other) => other === event || Math.abs(timeOf(other) - now) > clockToleranceMs);
    if (!isAlone) return [];
    const open = connections.filter(({ join, endedAt }) => timeOf(join) <= now && (endedAt === null || endedAt > now));
    const people = open.filter((connection) => kindOf(connection) === 'participant').length;
    if (numClients > open.length) return ['participant'];
    return numClients < people ? ['leave'] : [];
  });
}
