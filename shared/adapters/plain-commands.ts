import {
  BatchGetItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand as QueryItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, type marshallOptions, unmarshall } from '@aws-sdk/util-dynamodb';
import type { HttpHandlerOptions } from '@smithy/types';

// Replaces `@aws-sdk/lib-dynamodb` in every bundle. The real document client builds its middleware anew for every call, and refuses
// the setting with which the SDK keeps it. See docs/decisions/0094-warm-calls.md.

type Fields = Record<string, unknown>;
/** Converts an item: all attributes of a row or of a key, or the values of an expression. */
type ConvertItem = (item: Fields) => unknown;
/** Converts the items within a part of an input or of an output. */
type Convert = (part: unknown, convertItem: ConvertItem) => unknown;

const item: Convert = (part, convertItem) => convertItem(part as Fields);

function listOf(convert: Convert): Convert {
  return (part, convertItem) => (part as readonly unknown[]).map((each) => convert(each, convertItem));
}

function recordOf(convert: Convert): Convert {
  return (part, convertItem) =>
    Object.fromEntries(Object.entries(part as Fields).map(([name, each]) => [name, convert(each, convertItem)]));
}

/** Converts the fields with these names, and keeps the others. */
function fieldsOf(converts: Readonly<Record<string, Convert>>): Convert {
  const entries = Object.entries(converts);
  return (part, convertItem) => {
    const converted = { ...(part as Fields) };
    for (const [name, convert] of entries) {
      const field = converted[name];
      if (field !== undefined) converted[name] = convert(field, convertItem);
    }
    return converted;
  };
}

const ofWrite = { Key: item, Item: item, ExpressionAttributeValues: item };
const ofTables = recordOf(fieldsOf({ Keys: listOf(item) }));
const input = fieldsOf({
  ...ofWrite,
  ExclusiveStartKey: item,
  RequestItems: ofTables,
  TransactItems: listOf(recordOf(fieldsOf(ofWrite))),
});
const output = fieldsOf({
  ...{ Item: item, Attributes: item, LastEvaluatedKey: item, Items: listOf(item) },
  ...{ Responses: recordOf(listOf(item)), UnprocessedKeys: ofTables },
});

type Raw = Parameters<DynamoDBClient['send']>[0];
type RawCommand = new (input: never) => object;

/** A command with plain values. */
class Plain {
  readonly input: unknown;
  readonly #Command: RawCommand;

  constructor(Command: RawCommand, plain: unknown) {
    this.#Command = Command;
    this.input = plain;
  }

  /** The same command with the values of DynamoDB. */
  raw(options: marshallOptions | undefined): Raw {
    return new this.#Command(input(this.input, (each) => marshall(each, options)) as never) as Raw;
  }
}

/** The command of the same name of the document client, for a command of DynamoDB. */
function plain(Command: RawCommand) {
  return class extends Plain {
    constructor(plainInput: unknown) {
      super(Command, plainInput);
    }
  };
}

/** GetItem with plain values. */
export const GetCommand = /* @__PURE__ */ plain(GetItemCommand);
/** PutItem with plain values. */
export const PutCommand = /* @__PURE__ */ plain(PutItemCommand);
/** UpdateItem with plain values. */
export const UpdateCommand = /* @__PURE__ */ plain(UpdateItemCommand);
/** DeleteItem with plain values. */
export const DeleteCommand = /* @__PURE__ */ plain(DeleteItemCommand);
/** Query with plain values. */
export const QueryCommand = /* @__PURE__ */ plain(QueryItemsCommand);
/** BatchGetItem with plain values. */
export const BatchGetCommand = /* @__PURE__ */ plain(BatchGetItemCommand);
/** TransactWriteItems with plain values. */
export const TransactWriteCommand = /* @__PURE__ */ plain(TransactWriteItemsCommand);

/** The client of DynamoDB for commands with plain values and for its own ones. It builds the middleware of a command once. */
export class DynamoDBDocumentClient {
  readonly config: DynamoDBClient['config'];
  readonly middlewareStack: DynamoDBClient['middlewareStack'];
  readonly #client: DynamoDBClient;
  readonly #options: marshallOptions | undefined;

  private constructor(client: DynamoDBClient, options: marshallOptions | undefined) {
    this.#client = client;
    this.#options = options;
    this.config = client.config;
    this.middlewareStack = client.middlewareStack;
    Object.assign(client.config, { cacheMiddleware: true });
  }

  /** A document client that calls DynamoDB with this client. */
  static from(client: DynamoDBClient, { marshallOptions }: { readonly marshallOptions?: marshallOptions } = {}) {
    return new DynamoDBDocumentClient(client, marshallOptions);
  }

  /** Sends a command. The output of one with plain values has plain values. With options, its middleware is built anew. */
  async send(command: Plain | Raw, options?: HttpHandlerOptions): Promise<unknown> {
    if (!(command instanceof Plain)) return await this.#client.send(command, options);
    const answer = await this.#client.send(command.raw(this.#options), options);
    return output(answer, (each) => unmarshall(each as never));
  }
}

type Pages = { readonly client: DynamoDBDocumentClient; readonly pageSize?: number };

/** All pages of a query, one call for each. */
export async function* paginateQuery({ client, pageSize }: Pages, query: Fields): AsyncGenerator<Fields> {
  let start = query.ExclusiveStartKey;
  do {
    const asked = { ...query, Limit: query.Limit ?? pageSize, ExclusiveStartKey: start };
    const page = (await client.send(new QueryCommand(asked))) as Fields;
    yield page;
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}
