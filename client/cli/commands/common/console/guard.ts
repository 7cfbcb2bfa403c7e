import type { IncomingMessage } from 'node:http';
import { mayBeOwnPage } from '../../../../../console/serving/askers.ts';

/** Why a request does not come from a page of this server, which has two names. Undefined if it may. */
export function refusalOf(request: IncomingMessage, port: number): string | undefined {
  const host = request.headersDistinct.host?.join() ?? '';
  if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(host))
    return `This server is only at http://127.0.0.1:${port}/. Open the console there.`;
  return mayBeOwnPage(request) ? undefined : 'A page of another site asked. Only the console may ask.';
}
