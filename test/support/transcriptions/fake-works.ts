import {
  hasEnded,
  type PartKey,
  type TranscriptionPart,
  type Work,
  type WorkKey,
} from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { WorkTurn } from '#shared/domain/transcriptions/parts/work-turn.ts';
import type { WorkStore } from '#shared/use-cases/transcriptions/parts/ports.ts';

/** Works and their parts in memory, with the same conditions as the real store. `called` runs before each call, with its name. */
export class FakeWorks implements WorkStore {
  readonly heads = new Map<string, Work>();
  readonly parts = new Map<string, TranscriptionPart>();
  readonly turns = new Map<string, WorkTurn>();
  readonly #called: (name: string) => Promise<void>;

  constructor(called: (name: string) => Promise<void> = async () => {}) {
    this.#called = called;
  }

  /** Stores the head of a work, and its parts. */
  put(key: WorkKey, parts: readonly Omit<TranscriptionPart, keyof WorkKey>[]): void {
    const { organizationId, workId } = key;
    const endedParts = parts.filter(hasEnded).length;
    this.heads.set(idOf(key), { organizationId, workId, planKey: 'plan.json', partCount: parts.length, endedParts });
    for (const part of parts) this.parts.set(idOf({ ...key, part: part.part }), { organizationId, workId, ...part });
  }

  async find(key: WorkKey) {
    await this.#called('findWork');
    return this.heads.get(idOf(key));
  }

  async begin(work: Omit<Work, 'endedParts'>) {
    await this.#called('beginWork');
    const head = this.heads.get(idOf(work)) ?? { ...work, endedParts: 0 };
    this.heads.set(idOf(work), head);
    return head;
  }

  async markCounted(key: WorkKey) {
    await this.#called('markCounted');
    const head = this.heads.get(idOf(key));
    if (head) this.heads.set(idOf(key), { ...head, isCounted: true });
  }

  async addPart(part: TranscriptionPart) {
    await this.#called('addPart');
    if (!this.heads.has(idOf(workOf(part)))) return false;
    if (this.parts.has(idOf(part))) return true;
    this.parts.set(idOf(part), part);
    if (hasEnded(part)) this.#countEnd(part);
    return true;
  }

  async findPart(key: PartKey) {
    await this.#called('findPart');
    return this.parts.get(idOf(key));
  }

  async listParts({ organizationId, workId }: WorkKey) {
    await this.#called('listParts');
    return [...this.parts.values()]
      .filter((part) => part.organizationId === organizationId && part.workId === workId)
      .sort((one, other) => one.part - other.part);
  }

  async markPartRunning(key: PartKey, jobStartedAt: string) {
    await this.#called('markPartRunning');
    const part = this.parts.get(idOf(key));
    if (part?.state !== 'waiting') return false;
    this.parts.set(idOf(key), { ...part, state: 'running', jobStartedAt });
    return true;
  }

  async endPart(key: PartKey, end: Parameters<WorkStore['endPart']>[1]) {
    await this.#called('endPart');
    const part = this.parts.get(idOf(key));
    if (!part || hasEnded(part) || !this.heads.has(idOf(workOf(key)))) return false;
    this.parts.set(idOf(key), { ...part, ...end });
    this.#countEnd(key);
    return true;
  }

  async remove({ organizationId, workId }: WorkKey) {
    await this.#called('removeWorkRows');
    for (const { part } of await this.listParts({ organizationId, workId }))
      this.parts.delete(idOf({ organizationId, workId, part }));
    this.heads.delete(idOf({ organizationId, workId }));
    this.turns.delete(idOf({ organizationId, workId }));
  }

  async findTurn(key: WorkKey) {
    await this.#called('findTurn');
    return this.turns.get(idOf(key));
  }

  async storeTurn(key: WorkKey, turn: WorkTurn, asRead: string | undefined) {
    await this.#called('storeTurn');
    if (this.turns.get(idOf(key))?.turnId !== asRead) return false;
    this.turns.set(idOf(key), turn);
    return true;
  }

  #countEnd(key: PartKey): void {
    const id = idOf(workOf(key));
    const head = this.heads.get(id);
    if (head) this.heads.set(id, { ...head, endedParts: head.endedParts + 1 });
  }
}

function workOf({ organizationId, workId }: WorkKey): WorkKey {
  return { organizationId, workId };
}

function idOf({ organizationId, workId, part }: WorkKey & { readonly part?: number }): string {
  return [organizationId, workId, ...(part === undefined ? [] : [part])].join('/');
}
