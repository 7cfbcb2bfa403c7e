import * as oauth from 'oauth4webapi';
import { answerMs, type OidcConfig, SignInError } from './config.ts';

/** The addresses of an issuer: those of the configuration, or those that the issuer tells. */
export async function discover(config: OidcConfig): Promise<oauth.AuthorizationServer> {
  const { issuer, authorizationEndpoint, tokenEndpoint, endSessionEndpoint, revocationEndpoint } = config;
  if (authorizationEndpoint !== undefined && tokenEndpoint !== undefined) {
    return {
      issuer: issuer ?? new URL(authorizationEndpoint).origin,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
      ...(endSessionEndpoint !== undefined && { end_session_endpoint: endSessionEndpoint }),
      ...(revocationEndpoint !== undefined && { revocation_endpoint: revocationEndpoint }),
    };
  }
  if (issuer === undefined) throw new SignInError('no_config', 'config.json names no issuer.');
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, requestOptions({ issuer }));
  return oauth.processDiscoveryResponse(url, response);
}

/** The options of a request to the issuer: it must answer in time, and one on the reader's own machine may use http. */
export function requestOptions({ issuer }: Pick<oauth.AuthorizationServer, 'issuer'>) {
  const { protocol, hostname } = new URL(issuer);
  const isInsecureLocal = protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname);
  return { [oauth.allowInsecureRequests]: isInsecureLocal, signal: AbortSignal.timeout(answerMs) };
}

/** Whether the issuer refused a refresh token. A busy issuer (429) refuses the request, not the token. */
export function isEndOfSession(error: unknown): boolean {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return true;
  return error instanceof oauth.ResponseBodyError && error.status !== 429;
}

/** Says what went wrong between this page and the issuer. */
export function refusalOf(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const isRefusal = error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError;
  const said = isRefusal ? (error.error_description ?? error.error) : message;
  const isUnreachable = error instanceof TypeError || isTimeout(error);
  return new SignInError(isUnreachable ? 'unreachable' : 'refused', said);
}

/** Whether nobody answered in time. */
function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
