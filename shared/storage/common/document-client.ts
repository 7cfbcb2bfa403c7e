import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';

/** The DynamoDB client of a function. It takes plain JavaScript values and leaves out undefined fields. */
export function documentClient(): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(clientDefaults), {
    marshallOptions: { removeUndefinedValues: true },
  });
}
