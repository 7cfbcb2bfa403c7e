import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { toRoomInsight } from '#shared/domain/insights/insight-records.ts';
import type { SessionChange } from '#shared/domain/insights/session/session-change.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import { MemoryInsights } from '../../faults/support/insights/memory-insights.ts';

/** A store that records its calls. `meanwhile` can answer a commit in its place. */
export function watchedStore(
  meanwhile: (commits: number) => boolean | undefined = () => undefined,
  store = new MemoryInsights(),
) {
  const calls: string[] = [];
  const changes: SessionChange[] = [];
  const { facts, insights, sessionSettleSeconds } = store.ports(async (name, make) => {
    calls.push(name);
    return make();
  });
  const commit = async (change: SessionChange) => {
    changes.push(change);
    return meanwhile(changes.length) ?? insights.commit(change);
  };
  const pausesMs: number[] = [];
  const pause = async (ms: number) => void pausesMs.push(ms);
  const deps = { facts, insights: { ...insights, commit }, pause, sessionSettleSeconds };
  return {
    ...{ store, calls, changes, pausesMs, deps },
    record: (...events: readonly SessionFact[]) => recordSessionEvents(deps, events),
    countOf: (name: string) => calls.filter((call) => call === name).length,
    session: () => [...store.sessions.values()].map((session) => store.sessionInsight(session))[0],
    room: () => [...store.rooms.values()].map(toRoomInsight)[0],
  };
}
