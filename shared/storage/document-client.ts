import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientDefaults } from '../adapters/client-defaults.ts';

/** The client that every repository works with: plain JavaScript values, undefined fields left out. */
export function documentClient(): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(clientDefaults), {
    marshallOptions: { removeUndefinedValues: true },
  });
}
