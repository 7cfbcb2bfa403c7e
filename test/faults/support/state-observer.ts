import { DynamoDBDocumentClient, paginateScan, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../support/machine.ts';

type Row = Readonly<Record<string, unknown>>;
type State = 'in_progress' | 'ready' | 'failed' | 'given_up' | 'deleted';

const allowedNext: Record<State, readonly State[]> = {
  in_progress: ['ready', 'failed', 'given_up', 'deleted'],
  given_up: ['ready', 'failed', 'deleted'], // a live transcription whose end had not arrived
  ready: ['deleted'],
  failed: ['deleted'],
  deleted: [],
};

/** Watches the transcriptions of one table and records every state change that is not allowed. */
export class StateObserver {
  readonly forbiddenMoves: string[] = [];
  private readonly last = new Map<string, State>();
  private readonly documents = DynamoDBDocumentClient.from(dynamodb);
  private readonly table: string;

  constructor(table: string) {
    this.table = table;
  }

  /** All rows and tombstones. */
  rows(): Promise<Row[]> {
    return this.scan({});
  }

  /** Reads the table once and compares the states with the last time. */
  async observe(): Promise<void> {
    const seen = new Set<string>();
    const states = await this.scan({
      ProjectionExpression: 'organizationId, transcriptionId, #state, failure, deletedAt',
      ExpressionAttributeNames: { '#state': 'state' },
    });
    for (const row of states) {
      const id = `${row.organizationId} ${row.transcriptionId}`;
      const state = stateOf(row);
      const before = this.last.get(id);
      if (before && before !== state && !allowedNext[before].includes(state))
        this.forbiddenMoves.push(`${id}: ${before} -> ${state}`);
      this.last.set(id, state);
      seen.add(id);
    }
    for (const id of this.last.keys())
      if (!seen.has(id)) this.forbiddenMoves.push(`${id}: vanished without a tombstone`);
  }

  private async scan(options: Partial<ScanCommandInput>): Promise<Row[]> {
    const rows: Row[] = [];
    const pages = paginateScan({ client: this.documents }, { TableName: this.table, ...options });
    for await (const { Items = [] } of pages) rows.push(...Items);
    return rows;
  }
}

function stateOf({ deletedAt, state, failure }: Row): State {
  if (deletedAt) return 'deleted';
  return (failure as { readonly code: string } | undefined)?.code === 'end_not_reported'
    ? 'given_up'
    : (state as State);
}
