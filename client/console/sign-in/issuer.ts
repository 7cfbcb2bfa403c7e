import * as oauth from 'oauth4webapi';
import { type OidcConfig, SignInError } from './config.ts';

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
  const response = await oauth.discoveryRequest(url, insecureIfLocal({ issuer }));
  return oauth.processDiscoveryResponse(url, response);
}

/** An issuer on the reader's own machine may use http. */
export function insecureIfLocal({ issuer }: Pick<oauth.AuthorizationServer, 'issuer'>) {
  const { protocol, hostname } = new URL(issuer);
  return { [oauth.allowInsecureRequests]: protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname) };
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
  return new SignInError(error instanceof TypeError ? 'unreachable' : 'refused', said);
}
