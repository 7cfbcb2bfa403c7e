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
  const original = https.request;
  const redirected = (url: unknown, ...rest: unknown[]) => {
    const { hostname, pathname, search } =
      typeof url === 'string' || url instanceof URL ? new URL(url) : { hostname: '', pathname: '', search: '' };
    const target = redirects[hostname];
    if (target === undefined) return Reflect.apply(original, https, [url, ...rest]);
    return Reflect.apply(http.request, http, [new URL(`${pathname}${search}`, target), ...rest]);
  };
  https.request = redirected as typeof https.request;
  syncBuiltinESMExports();
}
