import type { OutgoingHttpHeaders } from 'node:http';
import * as z from 'zod';

/** The HTTP response to the caller. */
export type HttpResponse = { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly body: Buffer };

const StructuredResponse = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/**
 * Converts the return value of a function by the rules of payload format 2.0. A value without `statusCode` is the body
 * of a 200. Returns undefined if the gateway would respond with a 500.
 */
export function functionResponse(payload: string): HttpResponse | undefined {
  const returned: unknown = JSON.parse(payload);
  if (typeof returned !== 'object' || returned === null || !('statusCode' in returned)) {
    const body = typeof returned === 'string' ? returned : payload;
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
  }
  const { success, data: response } = StructuredResponse.safeParse(returned);
  if (!success) return undefined;
  const body = Buffer.from(response.body ?? '', response.isBase64Encoded ? 'base64' : 'utf8');
  const own = Object.entries(response.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  return {
    status: response.statusCode,
    headers: {
      ...(body.length > 0 && { 'content-type': 'text/plain;charset=UTF-8' }),
      ...Object.fromEntries(own.filter(([name]) => !byServer.includes(name))),
      ...(response.cookies && response.cookies.length > 0 && { 'set-cookie': response.cookies }),
    },
    body,
  };
}

/** Headers that the server sets itself. */
const byServer = ['connection', 'content-length', 'transfer-encoding'];
