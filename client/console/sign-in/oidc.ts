import * as oauth from 'oauth4webapi';
import { type OidcConfig, SignInError } from './config.ts';

/** The tokens of a person, and when the access token ends, in epoch milliseconds. */
export type PersonTokens = {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly idToken?: string;
  readonly endsAt: number;
};

type Attempt = { readonly verifier: string; readonly state: string; readonly nonce: string; readonly returnTo: string };

/** Both keys are of this tab alone, and end with it. */
const attemptKey = 'roomscribe.sign-in';
const tokensKey = 'roomscribe.tokens';
/** An access token is renewed this long before it ends. */
const marginMs = 60_000;
/** How long a sign-out waits for the issuer to revoke a token. */
const revocationMs = 5_000;
/** What the clocks of the reader and of the issuer may differ. */
const clockTolerance = 120;

/** The authorization code flow with PKCE (RFC 7636) of one issuer, for a public client in this tab. */
export class OidcSignIn {
  readonly #config: OidcConfig;
  readonly #redirectUri: string;
  #server: Promise<oauth.AuthorizationServer> | undefined;
  #renewal: Promise<PersonTokens | undefined> | undefined;

  constructor(config: OidcConfig, redirectUri: string) {
    this.#config = config;
    this.#redirectUri = redirectUri;
  }

  /** Sends the reader to the issuer. They come back to `returnTo`, a path of this page. */
  async begin(returnTo: string): Promise<never> {
    const verifier = oauth.generateRandomCodeVerifier();
    const attempt: Attempt = {
      verifier,
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      returnTo,
    };
    sessionStorage.setItem(attemptKey, JSON.stringify(attempt));
    const { authorization_endpoint: endpoint } = await this.#issuer();
    if (endpoint === undefined) throw new SignInError('no_config', 'The issuer has no authorization endpoint.');
    const url = new URL(endpoint);
    const { clientId, scope, audience } = this.#config;
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: this.#redirectUri,
      scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(audience !== undefined && { audience }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    location.assign(url);
    return new Promise(() => {});
  }

  /** Whether an address of this page is an answer of the issuer, or looks like one. */
  isAnswer(address: URL): boolean {
    return address.searchParams.has('state') && address.origin + address.pathname === this.#redirectUri;
  }

  /** Exchanges the code of an answer. Returns where the reader wanted to go, or undefined if this tab did not ask for the answer. */
  async complete(answer: URL): Promise<string | undefined> {
    const attempt = readStored<Attempt>(attemptKey);
    if (!attempt || attempt.state !== answer.searchParams.get('state')) return undefined;
    sessionStorage.removeItem(attemptKey);
    const server = await this.#issuer();
    const client = { client_id: this.#config.clientId, [oauth.clockTolerance]: clockTolerance };
    try {
      const parameters = oauth.validateAuthResponse(server, client, answer, attempt.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        this.#redirectUri,
        attempt.verifier,
        insecureIfLocal(server),
      );
      this.#keep(
        await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: attempt.nonce }),
      );
    } catch (error) {
      throw refusalOf(error);
    }
    return attempt.returnTo;
  }

  /** The tokens of the reader, renewed if they end soon. Undefined if the reader has to sign in. */
  async tokens(refused?: string): Promise<PersonTokens | undefined> {
    if (this.#renewal !== undefined) return this.#renewal;
    const known = readStored<PersonTokens>(tokensKey);
    if (!known) return undefined;
    if (known.accessToken !== refused && Date.now() < known.endsAt - marginMs) return known;
    this.#renewal = this.#renew(known).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /** Forgets the tokens, revokes the refresh token, and ends the session, as far as the issuer has addresses for these. */
  async signOut(): Promise<void> {
    await this.#renewal?.catch(() => undefined); // its tokens would come after the sign-out
    this.#renewal = new Promise(() => {}); // calls wait: without tokens, they would leave for the issuer
    const tokens = readStored<PersonTokens>(tokensKey);
    sessionStorage.removeItem(tokensKey);
    const server = await this.#issuer().catch((error: unknown) => {
      this.#renewal = undefined;
      throw error;
    });
    if (tokens?.refreshToken !== undefined) await this.#revoke(server, tokens.refreshToken);
    const { end_session_endpoint: endpoint } = server;
    if (endpoint === undefined) return location.assign(this.#redirectUri);
    const url = new URL(endpoint);
    url.searchParams.set('client_id', this.#config.clientId);
    url.searchParams.set('logout_uri', this.#redirectUri); // Cognito's name
    url.searchParams.set('post_logout_redirect_uri', this.#redirectUri);
    if (tokens?.idToken !== undefined) url.searchParams.set('id_token_hint', tokens.idToken);
    location.assign(url);
  }

  /** Asks the issuer to revoke a token (RFC 7009). The reader signs out whatever comes of it. */
  async #revoke(server: oauth.AuthorizationServer, token: string): Promise<void> {
    if (server.revocation_endpoint === undefined) return;
    const client = { client_id: this.#config.clientId };
    const options = { ...insecureIfLocal(server), signal: AbortSignal.timeout(revocationMs) };
    await oauth.revocationRequest(server, client, oauth.None(), token, options).catch(() => undefined);
  }

  /** Replaces the stored tokens. They stay if the issuer does not answer, and go if it has ended the session. */
  async #renew({ refreshToken, idToken }: PersonTokens): Promise<PersonTokens | undefined> {
    if (refreshToken === undefined) return undefined;
    const server = await this.#issuer();
    const client = { client_id: this.#config.clientId, [oauth.clockTolerance]: clockTolerance };
    try {
      const options = insecureIfLocal(server);
      const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options);
      const answer = await oauth.processRefreshTokenResponse(server, client, response);
      return this.#keep({
        refresh_token: refreshToken,
        ...(idToken !== undefined && { id_token: idToken }),
        ...answer,
      });
    } catch (error) {
      if (!isEndOfSession(error)) throw refusalOf(error);
      sessionStorage.removeItem(tokensKey);
      return undefined;
    }
  }

  #keep({
    access_token: accessToken,
    refresh_token: refreshToken,
    id_token: idToken,
    ...more
  }: KeptAnswer): PersonTokens {
    const lifeMs = (more.expires_in ?? 300) * 1000;
    const tokens: PersonTokens = {
      accessToken,
      ...(refreshToken !== undefined && { refreshToken }),
      ...(idToken !== undefined && { idToken }),
      endsAt: Date.now() + lifeMs,
    };
    sessionStorage.setItem(tokensKey, JSON.stringify(tokens));
    return tokens;
  }

  #issuer(): Promise<oauth.AuthorizationServer> {
    this.#server ??= discover(this.#config).catch((error: unknown) => {
      this.#server = undefined;
      throw refusalOf(error);
    });
    return this.#server;
  }
}

type KeptAnswer = Pick<oauth.TokenEndpointResponse, 'access_token' | 'refresh_token' | 'id_token' | 'expires_in'>;

async function discover(config: OidcConfig): Promise<oauth.AuthorizationServer> {
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
function insecureIfLocal({ issuer }: Pick<oauth.AuthorizationServer, 'issuer'>) {
  const { protocol, hostname } = new URL(issuer);
  return { [oauth.allowInsecureRequests]: protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname) };
}

/** Whether the issuer refused a refresh token. A busy issuer (429) refuses the request, not the token. */
function isEndOfSession(error: unknown): boolean {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return true;
  return error instanceof oauth.ResponseBodyError && error.status !== 429;
}

function refusalOf(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const isRefusal = error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError;
  const said = isRefusal ? (error.error_description ?? error.error) : message;
  return new SignInError(error instanceof TypeError ? 'unreachable' : 'refused', said);
}

function readStored<Value>(key: string): Value | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as Value);
}
