import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { HttpEvent } from '#shared/http/request.ts';

type Handler = (event: HttpEvent, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** Runs the handler of an endpoint as Lambda does, with the given remaining time. Returns its answer. */
export async function runEndpoint(handler: Handler, event: HttpEvent, remainingMs = 29_000) {
  const context = { getRemainingTimeInMillis: () => remainingMs } as Context; // the code reads nothing else
  const { statusCode, headers = {}, body } = await handler(event, context);
  return { statusCode, headers, body: body === undefined ? undefined : JSON.parse(body) };
}
