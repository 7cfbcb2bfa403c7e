import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as real from '@aws-sdk/lib-dynamodb';
import { HttpResponse } from '@smithy/core/protocols';
import { describe, expect, test, vi } from 'vitest';
import * as own from '#shared/adapters/plain-commands.ts';

type Call = { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array };
type Answer = (asked: Record<string, unknown>) => { readonly status?: number; readonly body: object };

/** A client of DynamoDB whose calls are kept and answered here, because it is the calls that are compared. */
function answering(answer: Answer) {
  const calls: unknown[] = [];
  const handle = async ({ headers, body }: Call) => {
    const asked = JSON.parse(Buffer.from(body).toString());
    calls.push([headers['x-amz-target'], asked]);
    const { status: statusCode = 200, body: answered } = answer(asked);
    return { response: new HttpResponse({ statusCode, headers: {}, body: Buffer.from(JSON.stringify(answered)) }) };
  };
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const requestHandler = { handle, metadata: { handlerProtocol: 'http/1.1' } } as never;
  return { calls, client: new DynamoDBClient({ region: 'eu-west-1', credentials, requestHandler, maxAttempts: 1 }) };
}

/** The client of the SDK changes the options that it gets. */
const options = () => ({ marshallOptions: { removeUndefinedValues: true } });

/** What a command asks for, and what its caller gets: the output, or the error. */
async function outcomeOf({ DynamoDBDocumentClient }: typeof real, command: object, answer: Answer) {
  const { client, calls } = answering(answer);
  const documents = DynamoDBDocumentClient.from(client, options());
  const result = await documents.send(command as never).catch((error: object) => ({ ...error }));
  return { calls, result: withoutMetadata(result) };
}

function withoutMetadata(result: object): object {
  const { $metadata: _, $response: __, ...told } = result as Record<string, unknown>;
  return told;
}

const Key = { id: 'a', at: 7 };
const values = { ':text': 'x', ':list': [1, null, { deep: [true] }], ':set': new Set(['a']), ':none': undefined };
const update = { TableName: 't', Key, UpdateExpression: 'SET a = :text', ExpressionAttributeValues: values };
const item = {
  id: { S: 'a' },
  n: { N: '1.5' },
  m: { M: { l: { L: [{ NULL: true }, { BOOL: false }] } } },
  b: { B: 'YQ==' },
};
const page = { Items: [item, {}], Count: 2, LastEvaluatedKey: { id: { S: 'a' } } };
const refused = {
  status: 400,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', message: 'no', Item: item },
};

const commands = [
  ['GetItem', real.GetCommand, own.GetCommand, { TableName: 't', Key, ConsistentRead: true }, { Item: item }],
  ['GetItem', real.GetCommand, own.GetCommand, { TableName: 't', Key }, {}],
  [
    'PutItem',
    real.PutCommand,
    own.PutCommand,
    { TableName: 't', Item: { ...Key, bytes: Buffer.from('a'), left: undefined } },
    { Attributes: item },
  ],
  ['UpdateItem', real.UpdateCommand, own.UpdateCommand, { ...update, ReturnValues: 'ALL_NEW' }, { Attributes: item }],
  [
    'DeleteItem',
    real.DeleteCommand,
    own.DeleteCommand,
    { TableName: 't', Key, ConditionExpression: 'a = :a', ExpressionAttributeValues: { ':a': 1 } },
    {},
  ],
  [
    'Query',
    real.QueryCommand,
    own.QueryCommand,
    { TableName: 't', ExpressionAttributeValues: values, ExclusiveStartKey: Key, Limit: 2 },
    page,
  ],
  [
    'Query',
    real.QueryCommand,
    own.QueryCommand,
    { TableName: 't', ExpressionAttributeValues: values, ExclusiveStartKey: undefined },
    { Count: 0 },
  ],
  [
    'BatchGetItem',
    real.BatchGetCommand,
    own.BatchGetCommand,
    { RequestItems: { t: { Keys: [Key, { id: 'b' }], ConsistentRead: true }, u: { Keys: [Key] } } },
    { Responses: { t: [item], u: [] }, UnprocessedKeys: { u: { Keys: [{ id: { S: 'a' } }], ConsistentRead: true } } },
  ],
  [
    'TransactWriteItems',
    real.TransactWriteCommand,
    own.TransactWriteCommand,
    {
      ClientRequestToken: 'token',
      TransactItems: [
        { Put: { TableName: 't', Item: { ...Key, tags: ['a'] }, ExpressionAttributeValues: values } },
        { Update: update },
        { Delete: { TableName: 't', Key } },
        {
          ConditionCheck: { TableName: 't', Key, ConditionExpression: 'a = :text', ExpressionAttributeValues: values },
        },
      ],
    },
    {},
  ],
] as const;

describe.each(commands)('%s', (_name, RealCommand, OwnCommand, input, body) => {
  test.each([
    ['succeeds', { body }],
    ['is refused', refused],
  ])('asks and tells what the command of the SDK does, if it %s', async (_, answer) => {
    const expected = await outcomeOf(real, new RealCommand(input as never), () => answer);
    const found = await outcomeOf(own as unknown as typeof real, new OwnCommand(input), () => answer);
    expect(found).toEqual(expected);
    expect(found.calls).toHaveLength(1);
  });
});

test('a command of DynamoDB itself has the values of DynamoDB', async () => {
  const command = new GetItemCommand({ TableName: 't', Key: { id: { S: 'a' } } });
  const { result } = await outcomeOf(own as unknown as typeof real, command, () => ({ body: { Item: item } }));
  expect(result).toMatchObject({ Item: { id: { S: 'a' } } });
});

test('commands of one kind share their middleware, and each has its own input and output', async () => {
  const resolve = vi.spyOn(GetItemCommand.prototype, 'resolveMiddleware');
  const { client, calls } = answering(({ Key }) => ({ body: { Item: Key as object } }));
  const documents = own.DynamoDBDocumentClient.from(client, options());
  const get = (id: string) => documents.send(new own.GetCommand({ TableName: 't', Key: { id } }));
  const answers = await Promise.all(['a', 'b', 'c'].map(get));
  expect([...answers, await get('d')]).toMatchObject(['a', 'b', 'c', 'd'].map((id) => ({ Item: { id } })));
  expect(calls).toHaveLength(4);
  expect(resolve).toHaveBeenCalledTimes(1);
});

test.each([
  ['with plain values', new own.GetCommand({ TableName: 't', Key: { id: 'a' } })],
  ['of DynamoDB itself', new GetItemCommand({ TableName: 't', Key: { id: { S: 'a' } } })],
])('a command %s can be aborted, as one of the SDK', async (_, command) => {
  const { client } = answering(() => ({ body: {} }));
  const send = vi.spyOn(client, 'send');
  const documents = own.DynamoDBDocumentClient.from(client, options());
  const settings = { abortSignal: AbortSignal.timeout(60_000) };
  await documents.send(command as never, settings);
  expect(send).toHaveBeenCalledExactlyOnceWith(expect.any(GetItemCommand), settings);
});

test.each([{}, { pageSize: 2 }])('a query is read page by page as by the SDK, with %j', async (settings) => {
  const pagesOf = async ({ DynamoDBDocumentClient, paginateQuery }: typeof real) => {
    const { client, calls } = answering(({ ExclusiveStartKey }) => ({
      body: ExclusiveStartKey === undefined ? page : { Items: [item], Count: 1 },
    }));
    const query = { TableName: 't', ExpressionAttributeValues: values };
    const config = { client: DynamoDBDocumentClient.from(client, options()), ...settings };
    const pages: object[] = [];
    for await (const each of paginateQuery(config, query)) pages.push(withoutMetadata(each));
    return { calls, pages };
  };
  const found = await pagesOf(own as unknown as typeof real);
  expect(found).toEqual(await pagesOf(real));
  expect(found.calls).toHaveLength(2);
});
