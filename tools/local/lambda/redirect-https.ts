import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

/** URLs of local services, by the name of the AWS host that they replace. */
export type Redirects = Readonly<Record<string, string>>;

/**
 * Sends this thread's HTTPS requests for some hosts to local services. The SDK has variables for this. A package that reads the
 * public keys of Cognito has none, and the functions run here as they are deployed.
 */
export function redirectHttps(redirects: Redirects): void {
  https.request = redirected(https.request, redirects);
  syncBuiltinESMExports();
}

/**
 * Passes every call on as it is, except one for a redirected host. A call with an agent or a lookup of its own chooses where it connects,
 * so it is never redirected: the address of a webhook must not lead to a local service by its name.
 */
export function redirected(original: typeof https.request, redirects: Redirects): typeof https.request {
  const request = (url: unknown, ...rest: unknown[]) => {
    const address = typeof url === 'string' ? URL.parse(url) : url;
    const target = address instanceof URL ? redirects[address.hostname] : undefined;
    if (!(address instanceof URL) || target === undefined || choosesConnection(rest[0]))
      return Reflect.apply(original, https, [url, ...rest]);
    return Reflect.apply(http.request, http, [new URL(`${address.pathname}${address.search}`, target), ...rest]);
  };
  return request as typeof https.request;
}

function choosesConnection(options: unknown): boolean {
  const own = ['agent', 'lookup', 'createConnection'];
  return typeof options === 'object' && options !== null && own.some((name) => name in options);
}
