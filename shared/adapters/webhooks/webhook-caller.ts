import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import type { WebhookCall, WebhookCaller } from '#shared/use-cases/webhooks/ports.ts';
import { callOnce, failedCall } from './call-once.ts';
import { checkedLookup } from './checked-lookup.ts';
import { nameResolver, type Resolve } from './name-resolver.ts';
import { loopbackAddresses, type ReceiverMode } from './receiver-address.ts';
import { refusalOfUrl } from './refused-url.ts';

/** For the whole call: name, connection, TLS and answer. */
const callMs = 10_000;

type CallerOptions = {
  readonly mode: ReceiverMode;
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
  /** Certificates of authorities to trust instead of the usual ones. */
  readonly ca?: string | undefined;
  readonly now?: () => Date;
};

/**
 * Implements `WebhookCaller` over HTTP. Addresses are checked twice at the moment of the connection: by `checkedLookup`, and by the agents
 * of request-filtering-agent. Every call has an agent, and so a connection, of its own: none is kept for another call, where it would
 * have to be told apart by host, and could have been closed by its receiver. A redirect is an answer like others. Neither bodies
 * of answers nor addresses are kept or logged, and no proxy of the environment is used.
 */
export function webhookCaller({
  mode,
  resolve = nameResolver(mode),
  timeoutMs = callMs,
  ca,
  now = () => new Date(),
}: CallerOptions): WebhookCaller {
  const filter = { keepAlive: false, allowIPAddressList: mode === 'this-machine' ? [...loopbackAddresses] : [] };
  const trusted = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };

  const open = ({ url, headers }: WebhookCall, signal: AbortSignal): ClientRequest => {
    const lookup = checkedLookup(mode, resolve, signal);
    const options = { method: 'POST', headers, lookup };
    return new URL(url).protocol === 'http:'
      ? httpRequest(url, { ...options, agent: new RequestFilteringHttpAgent(filter) })
      : httpsRequest(url, { ...options, ...trusted, agent: new RequestFilteringHttpsAgent(filter) });
  };

  return {
    refusalOf: (url) => refusalOfUrl(url, mode),

    async call(call) {
      if (refusalOfUrl(call.url, mode) !== undefined) return failedCall('address_not_public', {});
      const ended = new AbortController();
      try {
        return await callOnce(open(call, ended.signal), call.body, { timeoutMs, now });
      } finally {
        ended.abort(); // the question for the address, if it has no answer yet
      }
    },
  };
}
