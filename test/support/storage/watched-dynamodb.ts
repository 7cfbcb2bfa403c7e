import { buffer } from 'node:stream/consumers';
import getPort from 'get-port';
import { host } from '#tools/local/ports.ts';
import { startDynamoDb } from '#tools/local/services/dynamodb/dynamodb-process.ts';
import { serve } from '../http/test-server.ts';

/** A DynamoDB of a test that counts its calls. */
export type WatchedDynamoDb = {
  readonly url: string;
  /** The number of calls of an operation so far whose request contains the text, for example an organization. */
  readonly callsOf: (operation: string, text: string) => number;
  readonly stop: () => Promise<void>;
};

/** Starts a DynamoDB with its data in the folder, behind a server that counts the calls and passes them on. */
export async function startWatchedDynamoDb(folder: string): Promise<WatchedDynamoDb> {
  const dynamodb = await startDynamoDb(folder, await getPort({ host }));
  const calls: (readonly [operation: string, body: string])[] = [];
  const server = await serve(async (request, response) => {
    const body = await buffer(request);
    calls.push([String(request.headers['x-amz-target']).split('.').at(-1) ?? '', body.toString()]);
    const headers = Object.fromEntries(
      ['x-amz-target', 'content-type', 'authorization', 'x-amz-date'].flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const answer = await fetch(dynamodb.url, { method: 'POST', headers, body });
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  return {
    url: server.url,
    callsOf: (operation, text) => calls.filter(([name, body]) => name === operation && body.includes(text)).length,
    stop: async () => {
      server.stop();
      await dynamodb.stop();
    },
  };
}
