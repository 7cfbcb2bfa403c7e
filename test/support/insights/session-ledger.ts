import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import type { RoomRecord, SessionRecord } from '#shared/domain/insights/insight-records.ts';
import type { VisitorSegment } from '#shared/domain/insights/room-visitors.ts';
import {
  changedVisitors,
  type OtherStarts,
  type RoomChange,
  roomChange,
} from '#shared/domain/insights/session/session-change.ts';
import { bytesOf, type SessionLog, sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { emptyView, type SessionView, sessionTimeline } from '#shared/domain/insights/session/session-view.ts';
import { daily } from './session-facts.ts';

/** The rooms and sessions of the default organization as changes leave them, in memory. */
export function sessionLedger() {
  const rooms = new Map<string, RoomRecord>();
  const sessions = new Map<string, SessionRecord>();
  const segments = new Map<string, VisitorSegment>();
  const logs = new Map<string, SessionLog>();
  const views = new Map<string, SessionView>();

  const otherStarts = (roomName: string, roomSessionId: string): OtherStarts => {
    const others = [...sessions.values()].filter(
      (other) => other.roomName === roomName && other.roomSessionId !== roomSessionId,
    );
    const starts = others.flatMap(({ startedAt }) => startedAt ?? []).toSorted();
    return { first: starts[0] ?? null, last: starts.at(-1) ?? null };
  };

  const apply = ({ session, room, segments: moved }: RoomChange, version: number) => {
    const { roomName, roomSessionId } = session;
    sessions.set(JSON.stringify([roomName, roomSessionId]), { ...session, version });
    if (room) rooms.set(roomName, { ...room, version: room.version + 1 });
    for (const segment of moved)
      segments.set(JSON.stringify([roomName, segment.shard, segment.number]), {
        ...segment,
        version: segment.version + 1,
      });
  };

  const changesOf = (before: SessionView, after: SessionView) =>
    [...after.rooms].map(([roomName, described]): RoomChange => {
      const key = { ...after.session, roomName };
      const stored = {
        session: sessions.get(JSON.stringify([roomName, key.roomSessionId])),
        room: rooms.get(roomName),
        segments: [...segments].filter(([name]) => JSON.parse(name)[0] === roomName).map(([, segment]) => segment),
        otherStarts: otherStarts(roomName, key.roomSessionId),
      };
      return { ...roomChange(key, described, changedVisitors(roomName, before, after), stored), notice: null };
    });

  return {
    ...{ rooms, sessions, segments, views },
    /** Counts the next block of a session's log. Returns the change of each room with the session's id. */
    count(facts: readonly SessionFact[], roomSessionId = daily.roomSessionId): RoomChange[] {
      const session = { organizationId: daily.organizationId, roomSessionId };
      const log = logs.get(roomSessionId) ?? sessionLog();
      logs.set(roomSessionId, log);
      log.append({ number: log.version + 1, facts, bytes: bytesOf(facts) });
      const after = sessionTimeline(session, log).at(log.version);
      const changes = changesOf(views.get(roomSessionId) ?? emptyView(session), after);
      for (const change of changes) apply(change, after.version);
      views.set(roomSessionId, after);
      return changes;
    },
  };
}
