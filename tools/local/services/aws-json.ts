import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../transcribe/log.ts';
import { ServiceError } from './service-error.ts';

/** One operation of an API: takes the parsed request body, returns the response body. */
export type Operation = (body: unknown) => Promise<object>;

/** A listening server. */
export type RunningServer = { url: string; stop(): Promise<void> };

const CONTENT_TYPE = 'application/x-amz-json-1.1';
const DEFAULT_LARGEST_BODY_BYTES = 1024 * 1024;

/** Serves operations over AWS JSON 1.1, the protocol of Amazon Transcribe, Secrets Manager and EventBridge, by their names in X-Amz-Target. */
export async function serveAwsJson(
  operations: Map<string, Operation>,
  {
    host,
    port,
    log,
    largestBodyBytes = DEFAULT_LARGEST_BODY_BYTES,
  }: { host: string; port: number; log: Log; largestBodyBytes?: number },
): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answer(operations, request, response, largestBodyBytes).catch((error: unknown) => {
      // The connection is closed or broken, so no response can be sent.
      log('aws_json_response_failed', { error: error instanceof Error ? error.name : 'unknown' });
      response.destroy();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  operations: Map<string, Operation>,
  request: IncomingMessage,
  response: ServerResponse,
  largestBodyBytes: number,
): Promise<void> {
  try {
    const operation = operations.get(String(request.headers['x-amz-target']));
    if (request.method !== 'POST' || operation === undefined)
      throw new ServiceError('UnknownOperationException', 'Unknown operation.');
    send(response, 200, await operation(await readJson(request, largestBodyBytes)));
  } catch (error) {
    if (error instanceof ServiceError) {
      send(response, error.status, { __type: error.code, Message: error.message });
    } else {
      send(response, 500, {
        __type: 'InternalFailureException',
        Message: 'Internal Failure. Please try your request again.',
      });
    }
  }
}

async function readJson(request: IncomingMessage, largestBodyBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > largestBodyBytes) throw new ServiceError('SerializationException', 'The request is too large.', 413);
    chunks.push(chunk);
  }
  const body = parseJson(Buffer.concat(chunks).toString('utf8'));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ServiceError('SerializationException', 'The request is not a JSON object.');
  }
  return body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('SerializationException', 'The request is not valid JSON.');
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': CONTENT_TYPE, 'x-amzn-requestid': randomUUID() });
  response.end(JSON.stringify(body));
}
