import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientDefaults } from '../adapters/client-defaults.ts';
import { openWhileLoading } from './opened-connection.ts';

/**
 * The DynamoDB client of a function. It takes plain JavaScript values and leaves out undefined fields. While the function loads, it opens as
 * many connections as the function makes calls at once.
 */
export function documentClient({ callsAtOnce = 1 } = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient(clientDefaults);
  openWhileLoading(client, callsAtOnce);
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
}
