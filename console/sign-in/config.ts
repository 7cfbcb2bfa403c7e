import { answerInWords } from '../../client/errors.ts';

/** How a deployment lets the console in. `GET /console/config.json` answers it. */
export type SignInConfig = { readonly deployment?: string } & (
  | { readonly signIn: 'token'; readonly token: string; readonly expiresAt: string }
  | { readonly signIn: 'session' }
  | ({ readonly signIn: 'oidc' } & OidcConfig)
);

/** The client of an OpenID Connect issuer. Without endpoints, they are discovered at `issuer`. */
export type OidcConfig = {
  readonly clientId: string;
  readonly scope: string;
  readonly issuer?: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly endSessionEndpoint?: string;
  readonly revocationEndpoint?: string;
  readonly audience?: string;
};

/** Why the console cannot begin. `code` picks the text that says what to do. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly code: 'no_config' | 'not_ours' | 'no_storage' | 'link_needed' | 'refused' | 'signed_out' | 'unreachable';

  constructor(code: SignInError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** How long the page waits for an answer of its server or of the issuer. */
export const answerMs = 35_000;

/** Asks the server of this page how to sign in. Throws a `SignInError`. */
export async function loadConfig(base: string = import.meta.env.BASE_URL): Promise<SignInConfig> {
  const init = { cache: 'no-store', signal: AbortSignal.timeout(answerMs) } as const;
  const response = await fetch(`${base}config.json`, init).catch((cause: unknown) => {
    throw new SignInError('unreachable', cause instanceof Error ? cause.message : String(cause));
  });
  if (response.status === 401) throw new SignInError('link_needed', 'The server wants a one-time link.');
  const config: unknown = await response.json().catch(() => undefined);
  if (isConfig(config)) return config;
  // CloudFront passes on the XML with which S3 refuses a file that it does not have.
  const isOurs =
    config !== undefined || response.status === 404 || /xml/.test(response.headers.get('content-type') ?? '');
  throw new SignInError(isOurs ? 'no_config' : 'not_ours', `config.json: ${answerInWords(response)}.`);
}

function isConfig(value: unknown): value is SignInConfig {
  if (typeof value !== 'object' || value === null || !('signIn' in value)) return false;
  const { signIn, token, expiresAt, clientId, scope } = value as Readonly<Record<string, unknown>>;
  const areTexts = (...texts: unknown[]) => texts.every((text) => typeof text === 'string');
  if (signIn === 'token') return areTexts(token, expiresAt);
  if (signIn === 'oidc') return areTexts(clientId, scope);
  return signIn === 'session';
}
