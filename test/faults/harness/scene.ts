import { DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../support/machine.ts';
import type { CapturedLogs } from '../support/captured-logs.ts';
import type { EventDraft } from '../support/random-history.ts';
import type { World } from '../support/world.ts';
import { Knowledge } from './knowledge.ts';
import { Tally } from './tally.ts';

/** The ids of live transcriptions. Every organization uses the same, so that a mix-up is detected. */
export const liveIds = ['11feb0d1-0000-4000-8000-000000000001', '11feb0d1-0000-4000-8000-000000000002'] as const;
/** The ids of recordings, in every organization. */
export const recordingIds = ['4ec04d00-0000-4000-8000-000000000001', '4ec04d00-0000-4000-8000-000000000002'] as const;

/** The ids of recordings with tracks, in every organization. Nobody transcribes them. */
export const trackRecordingIds = [
  '4ec04d00-0000-4000-8000-00000000000a',
  '4ec04d00-0000-4000-8000-00000000000b',
] as const;

const documents = DynamoDBDocumentClient.from(dynamodb);
const hourMs = 3_600_000;

/** An answer of a query of an index, which a later query may get again. */
export type IndexAnswer = { readonly query: string; readonly answer: unknown };

/** A world in which a history is played: its organizations, what they know, and what has happened so far. */
export class Scene {
  readonly world: World;
  readonly logs: CapturedLogs;
  /** Organizations that share ids, names and keys. */
  readonly organizations: readonly [string, string, string];
  /** The events of sessions and rooms of the whole history, which retractions refer to. */
  readonly drafts: readonly EventDraft[];
  readonly knowledge = new Knowledge();
  readonly tally = new Tally();
  /** What was wrong while the history was played. */
  readonly problems: string[] = [];
  readonly indexAnswers: IndexAnswer[] = [];
  /** Takes the next step of the history while a call of this step waits. */
  meanwhile: () => Promise<unknown> = async () => {};
  /** How many steps run at present, one within the other. */
  depth = 0;
  /** How wrong the clock is at present. */
  skewMs = 0;
  /** How far the steps have moved the clock. */
  movedHours = 0;
  private hours = 0;
  /** The organizations whose clients and platform have stopped. */
  readonly stopped = new Set<string>();
  /** The organizations of which nothing may remain. */
  readonly erased = new Set<string>();
  /** The webhooks that got everything again at rest, and when. */
  readonly replayed = new Map<string, string>();
  /** The folder of files that every organization names. */
  readonly sharedFolder: string;

  constructor(world: World, logs: CapturedLogs, name: string, drafts: readonly EventDraft[]) {
    this.world = world;
    this.logs = logs;
    this.sharedFolder = `shared-by-${name}`;
    this.organizations = [`${name}-a`, `${name}-b`, `${name}-c`];
    this.drafts = drafts;
  }

  /** One of the organizations that have not stopped. */
  organization(index: number): string {
    const inTurn = [...this.organizations.slice(index), ...this.organizations];
    return inTurn.find((each) => !this.stopped.has(each)) ?? this.organizations[0];
  }

  /** A transcription that any of the organizations may have, most often the newest one. */
  transcriptionId(index: number): string {
    const created = [...new Set([...this.knowledge.created.values()].flatMap((ids) => [...ids]))].reverse();
    const known = [...created, ...liveIds];
    return known[index % known.length] ?? liveIds[0];
  }

  /** The clock of idempotency keys, which only goes forward. */
  get hour(): number {
    return this.hours;
  }

  /** Moves the clock. Idempotency keys read the clock of the machine, so their times move instead. */
  async moveClock(ms: number): Promise<void> {
    this.world.clock = new Date(this.world.clock.getTime() + ms);
    this.movedHours += ms / hourMs;
    if (this.depth > 1) return; // a key that is in use while its process runs must not expire
    this.hours += ms / hourMs;
    for (const organizationId of this.organizations) await this.ageKeys(organizationId, ms);
  }

  private async ageKeys(organizationId: string, ms: number): Promise<void> {
    const TableName = this.world.resources.tables.idempotencyKeys;
    const query = {
      KeyConditionExpression: 'organizationId = :id',
      ExpressionAttributeValues: { ':id': organizationId },
    };
    const { Items = [] } = await documents.send(new QueryCommand({ TableName, ConsistentRead: true, ...query }));
    for (const { operationKey, expiresAt, in_progress_expiration: inProgressUntil } of Items) {
      const Key = { organizationId, operationKey };
      const times = {
        ':expiry': Number(expiresAt) - Math.floor(ms / 1000),
        ':until': Number(inProgressUntil ?? 0) - ms,
      };
      await documents.send(
        new UpdateCommand({
          TableName,
          Key,
          UpdateExpression: 'SET expiresAt = :expiry, in_progress_expiration = :until',
          ExpressionAttributeValues: times,
        }),
      );
    }
  }
}
