import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';

test('the fault tests play crashes on the ES build of the document client, which is in the bundles', () => {
  const client = new DynamoDBClient({ region: 'eu-west-1', cacheMiddleware: true });
  const refused = expect(() => DynamoDBDocumentClient.from(client));
  refused.toThrow(expect.objectContaining({ stack: expect.stringContaining('lib-dynamodb/dist-es/') }));
});
