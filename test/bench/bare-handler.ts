import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});

/** R of the goals of `npm run bench -- init`: a function with nothing but the client of DynamoDB and one call. */
export const handler = async () => {
  await client.send(new GetItemCommand({ TableName: 'bare', Key: { id: { S: 'bare' } } }));
  return { statusCode: 200 };
};
