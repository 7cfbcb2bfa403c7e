import type { ServerResponse } from 'node:http';
import { type ConsoleAnswer, guardingHeaders } from '../../../../../console/serving/files.ts';

/** Headers of answers that are no pages. If a browser showed one, it could do nothing in the origin of the console. */
export const inertHeaders = {
  ...guardingHeaders,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'no-store',
} as const;

/** An error in the form of the API's errors. */
export function errorAnswer(status: number, code: string, message: string): ConsoleAnswer {
  const headers = { ...inertHeaders, 'content-type': 'application/json' };
  return { status, headers, body: Buffer.from(JSON.stringify({ message, code })) };
}

/** Sends an answer. */
export function send(response: ServerResponse, { status, headers, body }: ConsoleAnswer): void {
  const hasBody = status !== 204 && status !== 304;
  response.writeHead(status, { ...headers, ...(hasBody && { 'content-length': body.length }) });
  response.end(hasBody ? body : undefined);
}

/** The headers of an answer with these names. */
export function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
