import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb, endpoints } from '../machine.ts';

const documents = DynamoDBDocumentClient.from(dynamodb);
const { transcriptions, transcriptSpeakers } = endpoints.tables;
type Key = { readonly organizationId: string; readonly transcriptionId: string };

/** Moves the row of speakers from beside its transcription to the table of its own in which such rows were before. */
export async function moveApart(key: Key): Promise<void> {
  const Key = { ...key, transcriptionId: `${key.transcriptionId}#speakers` };
  const { Item } = await documents.send(new GetCommand({ TableName: transcriptions, Key, ConsistentRead: true }));
  await documents.send(new PutCommand({ TableName: transcriptSpeakers, Item: { ...Item, ...key } }));
  await documents.send(new DeleteCommand({ TableName: transcriptions, Key }));
}

/** The row of speakers in the table of its own. */
export async function rowApart(key: Key): Promise<Record<string, unknown> | undefined> {
  const get = new GetCommand({ TableName: transcriptSpeakers, Key: key, ConsistentRead: true });
  return (await documents.send(get)).Item;
}
