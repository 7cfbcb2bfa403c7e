import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientDefaults } from '../adapters/client-defaults.ts';
import { openWhileLoading } from './opened-connection.ts';

/** The DynamoDB client of a function, whose connection opens while the function loads. It takes plain JavaScript values and leaves out undefined fields. */
export function documentClient(): DynamoDBDocumentClient {
  const client = new DynamoDBClient(clientDefaults);
  openWhileLoading(client);
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
}
