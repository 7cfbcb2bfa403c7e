import { DynamoDBClient } from '@aws-sdk/client-dynamodb'; export const handler = async () => ({ statusCode: 200, body: String(new DynamoDBClient()).length });
