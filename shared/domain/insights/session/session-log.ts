import { isSessionEvent, type SessionEvent, type SessionFact } from '#shared/contracts/insights/session-events.ts';
import type { UnreadableMessage } from '#shared/runtime/errors.ts';
import { isTalkFact, originOf, type StoredFact, type TalkFact } from '../talk-facts.ts';
import { limits, refusalOf } from './session-limits.ts';

/**
 * Facts of a session that were stored together, in the order of their arrival. The blocks of a session are numbered from 1. The number of a
 * block is the session's version after it.
 */
export type SessionBlock = {
  readonly number: number;
  readonly facts: readonly StoredFact[];
  /** Size of the facts as JSON, in bytes. */
  readonly bytes: number;
};

/**
 * The weight of the facts of one block. A commit that counts facts of this weight has at most 100 items: a segment of visitors for
 * each, and for each of 5 rooms the session, the room, a start that moves, and a notice.
 */
export const maxWeight = 75;

/** Size of the facts of one block as JSON. An item of DynamoDB has at most 400 KB. */
const maxBlockBytes = 256 * 1024;

/** What a block adds to the size of its log besides its facts: small blocks compress badly, and each is an item to read. */
export const blockOverhead = 512;

/** How many visitors a fact can change: one, or those of all events that a retraction takes back. */
export function weightOf({ type }: StoredFact): number {
  return type === 'fact.retracted' ? limits.eventsWithOneId : 1;
}

/** Splits facts so that each part fits into one block: by weight, and by size. A fact has at most about 40 KB. */
export function blocksOf<Fact extends StoredFact>(facts: readonly Fact[]): Fact[][] {
  const parts: Fact[][] = [];
  let weight = 0;
  let bytes = 0;
  for (const fact of facts) {
    weight += weightOf(fact);
    bytes += bytesOf([fact]);
    if (parts.length === 0 || weight > maxWeight || bytes > maxBlockBytes) {
      parts.push([]);
      weight = weightOf(fact);
      bytes = bytesOf([fact]);
    }
    parts.at(-1)?.push(fact);
  }
  return parts;
}

/** Size of facts as JSON, in bytes. */
export function bytesOf(facts: readonly StoredFact[]): number {
  return Buffer.byteLength(JSON.stringify(facts));
}

/**
 * The number of the last block of a step from this version: blocks up to a weight, one at least. A step of `maxWeight` fits into one
 * commit whatever its facts change. A heavier one may not.
 */
export function endOfStep({ blocks }: Pick<SessionLog, 'blocks'>, version: number, most = maxWeight): number {
  let weight = 0;
  let end = version;
  for (const { number, facts } of blocks.slice(version)) {
    weight += facts.reduce((sum, fact) => sum + weightOf(fact), 0);
    if (weight > most && end > version) break;
    end = number;
  }
  return end;
}

/**
 * The identity of a fact within its session: participant, kind, time and id of an event, where joins and leaves are one kind; or what
 * a retraction takes back; or whose talk was measured, and from what. Of several facts with one identity, the first one counts, but an observed event before an inferred one.
 */
export function identityOf(fact: StoredFact): string {
  if (isTalkFact(fact)) return JSON.stringify([fact.type, fact.data.participantId, originOf(fact), fact.data.revision]);
  if (!isSessionEvent(fact)) return JSON.stringify(['retracted', fact.data.eventId, fact.data.roomName ?? null]);
  const { type, createdAt, id, data } = fact;
  const participant = 'participantId' in data ? data.participantId : null;
  return JSON.stringify([type === 'room.client.left' ? 'room.client.joined' : type, participant, createdAt, id]);
}

/** True if a fact with this identity is stored. An inferred event does not make an observed one known: both are stored then. */
function isKnownBy(fact: StoredFact, known: ReadonlyMap<string, Known>): boolean {
  const stored = known.get(identityOf(fact));
  return stored === 'observed' || stored === certaintyOf(fact);
}

type Known = 'observed' | 'inferred';

function certaintyOf(fact: StoredFact): Known {
  return isSessionEvent(fact) && fact.inferred ? 'inferred' : 'observed';
}

/** Of events with one identity, an observed one counts instead of an inferred one, whichever came first. */
export function withoutReplaced<Event extends SessionEvent>(events: readonly Event[]): readonly Event[] {
  if (!events.some(({ inferred }) => inferred)) return events;
  const observed = new Set(events.filter(({ inferred }) => !inferred).map(identityOf));
  return events.filter((event) => !event.inferred || !observed.has(identityOf(event)));
}

/** A session's log: its blocks without repeated facts, and what decides whether it accepts another fact. */
export type SessionLog = ReturnType<typeof sessionLog>;

/** Collects the blocks of a session's log in the order of their numbers. */
export function sessionLog() {
  const blocks: SessionBlock[] = [];
  const known = new Map<string, Known>();
  const eventsWithId = new Map<string, number>();
  const rooms = new Set<string>();
  const talk: TalkFact[] = [];
  let bytes = 0;
  let talkBytes = 0;

  const add = (fact: StoredFact) => {
    known.set(identityOf(fact), certaintyOf(fact));
    if (isTalkFact(fact)) talk.push(fact);
    if (!isSessionEvent(fact)) return;
    eventsWithId.set(fact.id, (eventsWithId.get(fact.id) ?? 0) + 1);
    rooms.add(fact.data.roomName);
  };
  const isNew = (fact: StoredFact) => !isKnownBy(fact, known);

  return {
    blocks: blocks as readonly SessionBlock[],
    /** The names of all rooms with an event. */
    rooms: rooms as ReadonlySet<string>,
    /** What this service has measured. */
    talk: talk as readonly TalkFact[],
    get version() {
      return blocks.at(-1)?.number ?? 0;
    },
    /** False if blocks are missing, because facts expire. A session is counted from a complete log only. */
    get isComplete() {
      return blocks.every(({ number }, index) => number === index + 1);
    },
    append(block: SessionBlock): void {
      const facts: StoredFact[] = [];
      for (const fact of block.facts.filter(isNew)) {
        if (!isNew(fact)) continue; // the block itself repeats it
        add(fact);
        facts.push(fact);
      }
      blocks.push({ ...block, facts });
      // What is measured has blocks and a limit of its own, so that it never takes the place of an event.
      if (block.facts.some(isTalkFact)) talkBytes += block.bytes + blockOverhead;
      else bytes += block.bytes + blockOverhead;
    },
    /**
     * Of what was measured, what the log accepts. When talk has its most bytes, only its withdrawals are accepted: at most as many as
     * there are times.
     */
    selectTalk(facts: readonly TalkFact[]): TalkFact[] {
      return facts.filter((fact) => isNew(fact) && (talkBytes < limits.talkBytes || fact.data.ms === null));
    },
    /** Splits facts into those that the log accepts as the next ones, and those that it refuses. Known facts are in neither. */
    select(facts: readonly SessionFact[]) {
      const next = { known: new Map<string, Known>(), ids: new Map(eventsWithId), rooms: new Set(rooms) };
      const accepted: SessionFact[] = [];
      const refused = new Map<SessionFact, UnreadableMessage>();
      for (const fact of facts.filter(isNew)) {
        if (isKnownBy(fact, next.known)) continue;
        const refusal = refusalOf(fact, { bytes, rooms: next.rooms, eventsWithId: (id) => next.ids.get(id) ?? 0 });
        if (refusal) {
          refused.set(fact, refusal);
          continue;
        }
        accepted.push(fact);
        next.known.set(identityOf(fact), certaintyOf(fact));
        if (!isSessionEvent(fact)) continue;
        next.ids.set(fact.id, (next.ids.get(fact.id) ?? 0) + 1);
        next.rooms.add(fact.data.roomName);
      }
      return { accepted, refused };
    },
  };
}
