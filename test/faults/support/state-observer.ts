import { BatchWriteCommand, DynamoDBDocumentClient, paginateScan, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { chunk } from '#shared/runtime/chunk.ts';
import { dynamodb } from '../../support/machine.ts';
import { jobNameOf } from './functions.ts';

type Row = Readonly<Record<string, unknown>>;
/** A state of a transcription as tests tell them apart. */
export type SeenState = 'in_progress' | 'ready' | 'failed' | 'given_up' | 'deleted';

const allowedNext: Record<SeenState, readonly SeenState[]> = {
  in_progress: ['ready', 'failed', 'given_up', 'deleted'],
  given_up: ['ready', 'failed', 'deleted'], // a live transcription whose end had not arrived
  ready: ['deleted'],
  failed: ['deleted'],
  deleted: [],
};

const maxKeysPerWrite = 25;
/** How the keys of rows of speakers end, which are beside those of transcriptions. */
const speakersSuffix = '#speakers';

/** Watches the transcriptions of one table and records every state change that is not allowed. */
export class StateObserver {
  readonly forbiddenMoves: string[] = [];
  /** The organizations whose transcriptions may vanish. */
  readonly erased = new Set<string>();
  /** The names of the jobs of transcriptions that have failed. */
  readonly failedJobs = new Set<string>();
  /** The names of the jobs that were taken over. */
  readonly takenOverJobs = new Set<string>();
  /** One observation follows the other. A scan that overtook another would show states in the wrong order. */
  private lastObservation: Promise<unknown> = Promise.resolve();
  private readonly last = new Map<string, SeenState>();
  private readonly history = new Map<string, SeenState[]>();
  private readonly documents = DynamoDBDocumentClient.from(dynamodb);
  private readonly table: string;

  constructor(table: string) {
    this.table = table;
  }

  /** All rows and tombstones. */
  async rows(): Promise<Row[]> {
    return (await this.scan({})).filter((row) => !isOfSpeakers(row));
  }

  /** The rows of speakers. */
  async speakers(): Promise<Row[]> {
    return (await this.scan({})).filter(isOfSpeakers);
  }

  /** True if the transcription was stored, and not deleted, when the states were last read. */
  isAlive(organizationId: string, transcriptionId: string): boolean {
    return (this.last.get(idOf(organizationId, transcriptionId)) ?? 'deleted') !== 'deleted';
  }

  /** The states in which a transcription was seen, in their order. There may have been others between them. */
  seen({ organizationId, transcriptionId }: Row): readonly SeenState[] {
    return this.history.get(idOf(organizationId, transcriptionId)) ?? [];
  }

  /** Empties the table and forgets all states. */
  async removeAll(): Promise<void> {
    const keys = await this.scan({ ProjectionExpression: 'organizationId, transcriptionId' });
    for (const some of chunk(keys, maxKeysPerWrite)) {
      const requests = some.map((Key) => ({ DeleteRequest: { Key } }));
      await this.documents.send(new BatchWriteCommand({ RequestItems: { [this.table]: requests } }));
    }
    this.last.clear();
    this.history.clear();
    this.failedJobs.clear();
    this.takenOverJobs.clear();
    this.erased.clear();
    this.forbiddenMoves.length = 0;
  }

  /** Reads the table once and compares the states with the last time. Returns all rows and tombstones. */
  observe(): Promise<Row[]> {
    const observed = this.lastObservation.then(() => this.compare());
    this.lastObservation = observed.catch(() => undefined);
    return observed;
  }

  private async compare(): Promise<Row[]> {
    const seen = new Set<string>();
    const rows = await this.rows();
    for (const row of rows) {
      const id = idOf(row.organizationId, row.transcriptionId);
      const state = stateOf(row);
      const before = this.last.get(id);
      if (before && before !== state && !allowedNext[before].includes(state))
        this.forbiddenMoves.push(`${id}: ${before} -> ${state}`);
      this.last.set(id, state);
      if (before !== state) this.history.set(id, [...(this.history.get(id) ?? []), state]);
      if (state === 'failed') this.failedJobs.add(jobNameOf(row));
      if (row.takenOverBy !== undefined) this.takenOverJobs.add(jobNameOf(row));
      seen.add(id);
    }
    for (const id of this.last.keys())
      if (!seen.has(id) && !this.erased.has(id.split(' ')[0] ?? ''))
        this.forbiddenMoves.push(`${id}: vanished without a tombstone`);
    return rows;
  }

  private async scan(options: Partial<ScanCommandInput>): Promise<Row[]> {
    const rows: Row[] = [];
    const pages = paginateScan({ client: this.documents }, { TableName: this.table, ...options });
    for await (const { Items = [] } of pages) rows.push(...Items);
    return rows;
  }
}

function idOf(organizationId: unknown, transcriptionId: unknown): string {
  return `${organizationId} ${transcriptionId}`;
}

function isOfSpeakers({ transcriptionId }: Row): boolean {
  return String(transcriptionId).endsWith(speakersSuffix);
}

function stateOf({ deletedAt, state, failure }: Row): SeenState {
  if (deletedAt) return 'deleted';
  return (failure as { readonly code: string } | undefined)?.code === 'end_not_reported'
    ? 'given_up'
    : (state as SeenState);
}
