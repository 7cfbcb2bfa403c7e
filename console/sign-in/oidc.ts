import * as oauth from 'oauth4webapi';
import { type OidcConfig, SignInError } from './config.ts';
import { discover, isEndOfSession, refusalOf, requestOptions } from './issuer.ts';
import { readTab, writeTab } from './tab-storage.ts';

/** The tokens of a person, and when the access token is renewed, in epoch milliseconds. */
export type PersonTokens = {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly idToken?: string;
  readonly renewAt: number;
};

/** A sign-in that this tab has begun, and the path to which the reader comes back. */
export type Attempt = {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly returnTo: string;
};

/** An access token is renewed this long before it ends, or at half of its life if that is later. */
const marginMs = 60_000;
/** The life of an access token if the issuer does not tell it. */
const unknownLifeSeconds = 300;
/** How long a sign-out waits for the issuer to revoke a token. */
const revocationMs = 5_000;
/** A reader who stops the page from leaving can sign in again after this time. */
const departureMs = 10_000;
/** What the clocks of the reader and of the issuer may differ. */
const clockTolerance = 120;

/** The authorization code flow with PKCE (RFC 7636) of one issuer, for a public client in this tab. */
export class OidcSignIn {
  readonly #config: OidcConfig;
  readonly #redirectUri: string;
  #server: Promise<oauth.AuthorizationServer> | undefined;
  #departure: Promise<never> | undefined;
  #renewal: Promise<PersonTokens | undefined> | undefined;
  /** The access token that this page got last. */
  #granted: string | undefined;
  #forgotten: Promise<PersonTokens | undefined> | undefined;

  constructor(config: OidcConfig, redirectUri: string) {
    this.#config = config;
    this.#redirectUri = redirectUri;
  }

  /** Sends the reader to the issuer. They come back to `returnTo`, a path of this page. Calls at the same time share one attempt. */
  begin(returnTo: string): Promise<never> {
    this.#departure ??= this.#leave(returnTo).catch((error: unknown) => {
      this.#departure = undefined;
      throw error;
    });
    return this.#departure;
  }

  async #leave(returnTo: string): Promise<never> {
    const { authorization_endpoint: endpoint } = await this.#issuer();
    if (endpoint === undefined) throw new SignInError('no_config', 'The issuer has no authorization endpoint.');
    const attempt: Attempt = {
      verifier: oauth.generateRandomCodeVerifier(),
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      returnTo,
    };
    const { clientId, scope, audience } = this.#config;
    const url = withParameters(endpoint, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: this.#redirectUri,
      scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      audience,
    });
    writeTab('attempt', attempt);
    leaveFor(url);
    setTimeout(() => {
      this.#departure = undefined;
    }, departureMs);
    return new Promise(() => {});
  }

  /** Whether an address of this page is an answer of the issuer, or looks like one. */
  isAnswer(address: URL): boolean {
    return address.searchParams.has('state') && address.origin + address.pathname === this.#redirectUri;
  }

  /** The attempt that an answer belongs to. It is good for one answer. Undefined if this tab did not ask for the answer. */
  takeAttempt(answer: URL): Attempt | undefined {
    const attempt = readTab<Attempt>('attempt');
    if (!attempt || attempt.state !== answer.searchParams.get('state')) return undefined;
    writeTab('attempt', undefined);
    return attempt;
  }

  /** Exchanges the code of an answer. Throws a `SignInError`. */
  async complete(answer: URL, { state, nonce, verifier }: Attempt): Promise<void> {
    const server = await this.#issuer();
    const client = { client_id: this.#config.clientId, [oauth.clockTolerance]: clockTolerance };
    try {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        oauth.validateAuthResponse(server, client, answer, state),
        this.#redirectUri,
        verifier,
        requestOptions(server),
      );
      this.#keep(await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce }));
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /**
   * The tokens of the reader, renewed if they end soon or if the API has refused them. Undefined if the reader has to sign in. Another
   * sign-in would not help if the API refuses what the issuer has just given: then these tokens again.
   */
  async tokens(refused?: string): Promise<PersonTokens | undefined> {
    if (this.#renewal !== undefined) return this.#renewal;
    const known = readTab<PersonTokens>('tokens');
    if (!known) return undefined;
    const isFresh = Date.now() < known.renewAt;
    if (isFresh && known.accessToken !== refused) return known;
    if (isFresh && known.refreshToken === undefined && known.accessToken === this.#granted) return known;
    this.#renewal = this.#renew(known).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /**
   * Forgets the tokens, revokes the refresh token, and ends the session, as far as the issuer has addresses for these. Throws a `SignInError`
   * if the issuer cannot be reached: the tokens are forgotten, and another call tries the rest again.
   */
  async signOut(): Promise<void> {
    this.#forgotten ??= this.#forget();
    const tokens = await this.#forgotten;
    const server = await this.#issuer();
    if (tokens?.refreshToken !== undefined) await this.#revoke(server, tokens.refreshToken);
    const { end_session_endpoint: endpoint } = server;
    if (endpoint === undefined) return leaveFor(new URL(this.#redirectUri));
    const parameters = {
      client_id: this.#config.clientId,
      logout_uri: this.#redirectUri, // Cognito's name
      post_logout_redirect_uri: this.#redirectUri,
      id_token_hint: tokens?.idToken,
    };
    leaveFor(withParameters(endpoint, parameters));
  }

  /** Forgets the tokens in this tab, which remembers the sign-out. Returns them, to be revoked. */
  async #forget(): Promise<PersonTokens | undefined> {
    await this.#renewal?.catch(() => undefined); // its tokens would come after the sign-out
    this.#renewal = new Promise(() => {}); // calls wait: without tokens, they would leave for the issuer
    const tokens = readTab<PersonTokens>('tokens');
    writeTab('tokens', undefined);
    writeTab('signedOut', true);
    return tokens;
  }

  /** Asks the issuer to revoke a token (RFC 7009). Throws a `SignInError` without a network. The reader signs out whatever the issuer answers. */
  async #revoke(server: oauth.AuthorizationServer, token: string): Promise<void> {
    if (server.revocation_endpoint === undefined) return;
    const client = { client_id: this.#config.clientId };
    const options = { ...requestOptions(server), signal: AbortSignal.timeout(revocationMs) };
    await oauth.revocationRequest(server, client, oauth.None(), token, options).catch((error: unknown) => {
      if (error instanceof TypeError) throw refusalOf(error);
    });
  }

  /** Replaces the stored tokens. They stay if the issuer does not answer, and go if it has ended the session. */
  async #renew({ refreshToken, idToken }: PersonTokens): Promise<PersonTokens | undefined> {
    if (refreshToken === undefined) return undefined;
    const server = await this.#issuer();
    const client = { client_id: this.#config.clientId, [oauth.clockTolerance]: clockTolerance };
    try {
      const options = requestOptions(server);
      const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options);
      const answer = await oauth.processRefreshTokenResponse(server, client, response);
      return this.#keep({
        refresh_token: refreshToken,
        ...(idToken !== undefined && { id_token: idToken }),
        ...answer,
      });
    } catch (error) {
      if (!isEndOfSession(error)) throw refusalOf(error);
      writeTab('tokens', undefined);
      return undefined;
    }
  }

  #keep(answer: KeptAnswer): PersonTokens {
    const tokens = tokensIn(answer);
    writeTab('tokens', tokens);
    this.#granted = tokens.accessToken;
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

function tokensIn({
  access_token: accessToken,
  refresh_token: refreshToken,
  id_token: idToken,
  ...more
}: KeptAnswer): PersonTokens {
  const lifeMs = (more.expires_in ?? unknownLifeSeconds) * 1000;
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(idToken !== undefined && { idToken }),
    renewAt: Date.now() + lifeMs - Math.min(marginMs, lifeMs / 2),
  };
}

function withParameters(address: string, parameters: Readonly<Record<string, string | undefined>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/**
 * Leaves this page. Browsers may keep it in memory, and show it again when the reader goes back. It then starts anew, because its calls wait
 * for ever, and a reader who has signed out must not see what it shows.
 */
function leaveFor(url: URL): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  location.assign(url);
}
