import { ConditionalCheckFailedException, type ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { MiddlewareStack } from '@smithy/types';

/** Consumed capacity units, as DynamoDB bills them on demand, and the number of calls. */
export type Consumption = { readonly writes: number; readonly reads: number; readonly calls: number };

/** One call: the operation, and the units of each table and index (`table`, `table/index`). */
export type MeteredCall = {
  readonly command: string;
  readonly input: CommandInput;
  readonly isWrite: boolean;
  readonly units: Readonly<Record<string, number>>;
};

/** A DynamoDB client that measures the capacity of its calls. */
export type CapacityMeter = {
  readonly documents: DynamoDBDocumentClient;
  /** All calls so far. */
  readonly calls: readonly MeteredCall[];
  /** Measures the consumption of `work`. Nothing else may use the client in the meantime. */
  readonly measure: (work: () => Promise<unknown>) => Promise<Consumption>;
};

type Settings = ConstructorParameters<typeof DynamoDBClient>[0];
type CommandInput = Readonly<Record<string, unknown>>;
type Answer = { readonly output: { readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] } };

/** The names of operations that write. */
export const writeCommand = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

/** Creates a client that requests the consumed capacity with every call. */
export function capacityMeter(settings: Settings): CapacityMeter {
  const calls: MeteredCall[] = [];
  const client = new DynamoDBClient({ ...settings });
  (client.middlewareStack as unknown as MiddlewareStack<object, object>).add(
    (next, context) => async (args) => {
      const command = String((context as { commandName?: string }).commandName).replace(/Command$/, '');
      const input = { ...(args.input as CommandInput), ReturnConsumedCapacity: 'INDEXES' };
      const call = { command, input, isWrite: writeCommand.test(command) };
      try {
        const answer = await next({ ...args, input });
        calls.push({ ...call, units: unitsOf([(answer as Answer).output.ConsumedCapacity ?? []].flat()) });
        return answer;
      } catch (error) {
        calls.push({ ...call, units: unitsOfRefusal(error, input) });
        throw error;
      }
    },
    { step: 'initialize', name: 'capacity-meter' },
  );
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const measure = async (work: () => Promise<unknown>) => {
    const before = calls.length;
    await work();
    return consumptionOf(calls.slice(before));
  };
  return { documents, calls, measure };
}

/** The total consumption of the calls. */
export function consumptionOf(calls: readonly MeteredCall[]): Consumption {
  return { writes: unitsIn(calls, true), reads: unitsIn(calls, false), calls: calls.length };
}

/** The sum of several consumptions. */
export function sumOf(consumptions: readonly Consumption[]): Consumption {
  const sum = (name: keyof Consumption) => consumptions.reduce((total, consumption) => total + consumption[name], 0);
  return { writes: sum('writes'), reads: sum('reads'), calls: sum('calls') };
}

function unitsIn(calls: readonly MeteredCall[], areWrites: boolean): number {
  const ofKind = calls.filter(({ isWrite }) => isWrite === areWrites);
  return ofKind.flatMap(({ units }) => Object.values(units)).reduce((sum, count) => sum + count, 0);
}

/** The units that DynamoDB reports, by table and index. */
export function unitsOf(consumed: readonly ConsumedCapacity[]): Record<string, number> {
  return Object.fromEntries(
    consumed.flatMap(({ TableName = '', Table, GlobalSecondaryIndexes = {} }) => [
      [TableName, Table?.CapacityUnits ?? 0],
      ...Object.entries(GlobalSecondaryIndexes).map(([name, { CapacityUnits = 0 }]) => [
        `${TableName}/${name}`,
        CapacityUnits,
      ]),
    ]),
  );
}

const bytesPerWrite = 1024;

/**
 * The units of a rejected write. DynamoDB bills it like a successful one but does not report it. Here a write is rejected
 * only if the same item is already stored.
 */
function unitsOfRefusal(error: unknown, { TableName, Item }: CommandInput): Record<string, number> {
  if (!(error instanceof ConditionalCheckFailedException)) return {};
  return Item === undefined ? {} : { [String(TableName)]: unitsOfRefusedItem(Item) };
}

/** The units of a put that was rejected because the item is already stored. */
export function unitsOfRefusedItem(item: unknown): number {
  return Math.ceil(itemBytes(item) / bytesPerWrite);
}

/** The size of an item, by which DynamoDB bills. */
export function itemBytes(item: unknown): number {
  return bytesOf(item) - mapBytes(item);
}

/** The size by https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(significantDigits(value) / 2) + 1;
  if (value === undefined) return 0;
  if (value === null || typeof value === 'boolean') return 1;
  const names = Array.isArray(value) ? 0 : Buffer.byteLength(Object.keys(value).join(''));
  return Object.values(value).reduce((sum: number, each) => sum + bytesOf(each), mapBytes(value) + names);
}

/** The digits of a number without the zeros before and after them. */
function significantDigits(value: number): number {
  return String(value)
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '').length;
}

/** The overhead of a map or list. An item as a whole has none. */
function mapBytes(value: unknown): number {
  return 3 + Object.keys(value as object).length;
}
