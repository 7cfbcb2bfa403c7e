import { nextTick } from 'node:process';
import { setImmediate } from 'node:timers/promises';
import {
  isSessionFact,
  type RoomCreated,
  type RoomRetraction,
  type SessionFact,
} from '#shared/contracts/insights/session-events.ts';
import { recordRoomCreated, recordRoomRetraction } from '#shared/use-cases/insights/record-room-created.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import type { Random } from '#tools/simulation/random.ts';
import type { MemoryInsights } from './insights/memory-insights.ts';

/** Parsed events or samples to record. */
export type RecordedEvent = SessionFact | RoomCreated | RoomRetraction;

/** A worker that waits for its turn to call the store. */
type Turn = {
  readonly worker: Worker;
  readonly name: string;
  readonly make: () => unknown;
  readonly answer: (value: unknown) => void;
  readonly fail: (error: Error) => void;
};
type Worker = { readonly batch: readonly RecordedEvent[]; isDead: boolean };

type Fault = 'death' | 'lost answer' | 'failed call' | 'repeated call' | 'conflict';

/** The number of times that each fault happened. */
export type Tally = Record<Fault | 'call' | 'lost race', number>;

type Options = { readonly workers: number; readonly maxFaults: number; readonly tally: Tally };

const faultRate = 0.04;
/** What a write returns whose condition does not hold. */
const lostRaces = new Set<unknown>([false, undefined]);
const isCommit = (name: string) => name.startsWith('commit');
const isPut = (name: string) => name.startsWith('put');

/**
 * Runs several workers that record batches over one store, with their calls in random order. Workers die, calls fail
 * and answers are lost. Unfinished batches are delivered again. Returns when everything is recorded.
 */
export class Interleaving {
  readonly #store: MemoryInsights;
  readonly #random: Random;
  readonly #options: Options;
  readonly #queue: (readonly RecordedEvent[])[] = [];
  readonly #running = new Set<Worker>();
  readonly #turns: Turn[] = [];
  #faults = 0;

  constructor(store: MemoryInsights, random: Random, options: Options) {
    this.#store = store;
    this.#random = random;
    this.#options = options;
  }

  /** Records the batches. */
  async record(batches: readonly (readonly RecordedEvent[])[]): Promise<void> {
    this.#queue.push(...batches);
    await setImmediate(); // lets the test runner work, because the loop below never waits for input or timers
    for (;;) {
      while (this.#running.size < this.#options.workers && this.#queue.length > 0)
        this.#start(this.#queue.shift() ?? []);
      await everyWorkerWaits();
      if (this.#turns.length > 0) this.#take(this.#nextTurn());
      else if (this.#running.size === 0 && this.#queue.length === 0) return;
    }
  }

  #nextTurn(): Turn {
    const [turn] = this.#turns.splice(this.#random.integer(0, this.#turns.length - 1), 1);
    return turn as Turn; // at least one worker waits
  }

  #start(batch: readonly RecordedEvent[]): void {
    const worker: Worker = { batch, isDead: false };
    this.#running.add(worker);
    const groups = [...Map.groupBy(batch, groupOf).values()];
    const work = groups.map(async (group) => {
      try {
        await this.#handle(worker, group);
      } catch {
        this.#queue.push(group);
      }
    });
    void Promise.all(work).then(() => this.#running.delete(worker));
  }

  async #handle(worker: Worker, [first, ...others]: readonly RecordedEvent[]): Promise<void> {
    const ports = this.#store.ports(
      (name, make) =>
        new Promise((answer, fail) => {
          this.#turns.push({ worker, name, make, answer: answer as (value: unknown) => void, fail });
        }),
    );
    if (first?.type === 'room.created') return recordRoomCreated(ports, first);
    if (first?.type === 'fact.retracted' && !isSessionFact(first)) return recordRoomRetraction(ports, first);
    await recordSessionEvents(ports, [first, ...others] as SessionFact[]);
  }

  /** A call of a dead worker may still be applied. Its answer is lost. */
  #take(turn: Turn): void {
    const { tally } = this.#options;
    tally.call++;
    if (turn.worker.isDead) {
      if (this.#random.chance(0.5)) turn.make();
      return;
    }
    const fault = this.#faultOf(turn);
    if (fault === undefined) {
      const value = turn.make();
      if (lostRaces.has(value) && (isCommit(turn.name) || turn.name === 'put block')) tally['lost race']++;
      turn.answer(value);
      return;
    }
    tally[fault]++;
    this.#faults++;
    this.#suffer(fault, turn);
  }

  #suffer(fault: Fault, { worker, make, answer, fail }: Turn): void {
    if (fault === 'conflict') answer(false);
    if (fault === 'repeated call') {
      make();
      answer(make());
    }
    if (fault === 'failed call') fail(new Error('The call failed.'));
    if (fault === 'lost answer') {
      make();
      fail(new Error('The answer was lost.'));
    }
    if (fault !== 'death') return;
    if (this.#random.chance(0.5)) make();
    worker.isDead = true;
    this.#running.delete(worker);
    this.#queue.push(worker.batch);
  }

  /** DynamoDB's own conflicts affect commits: nothing is written. The SDK repeats a write whose answer it has lost. */
  #faultOf({ name }: Turn): Fault | undefined {
    if (this.#faults >= this.#options.maxFaults || !this.#random.chance(faultRate)) return undefined;
    if (isCommit(name) && this.#random.chance(0.5)) return 'conflict';
    if (isPut(name) && this.#random.chance(0.25)) return 'repeated call';
    return this.#random.pick(['death', 'lost answer', 'failed call']);
  }
}

/** Resolves when every worker has reached its next call: the next tick starts when no promise is left to continue. */
function everyWorkerWaits(): Promise<void> {
  return new Promise((resolve) => nextTick(resolve));
}

function groupOf(event: RecordedEvent): string {
  const { organizationId, data } = event;
  return isSessionFact(event)
    ? JSON.stringify([organizationId, data.roomName, event.data.roomSessionId])
    : JSON.stringify([event.id, organizationId]);
}
