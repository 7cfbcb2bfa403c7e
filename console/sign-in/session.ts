import type { TokenSource } from '../../client/tokens.ts';
import { loadConfig, type SignInConfig, SignInError } from './config.ts';
import { OidcSignIn } from './oidc.ts';
import { readTab, writeTab } from './tab-storage.ts';

/** A reader who is signed in: a source of tokens, and how to sign out if that is possible. */
export type Session = {
  readonly deployment?: string;
  readonly token: TokenSource;
  /** Sends the reader to sign in again. Throws a `SignInError` if the issuer cannot be reached. */
  readonly signInAgain?: () => Promise<never>;
  /** Signs the reader out, and leaves the page. Throws a `SignInError` if the issuer cannot be reached. */
  readonly signOut?: () => Promise<void>;
};

/** `npm start` gives tokens for an hour. The page asks for another one this long before. */
const marginMs = 60_000;
/** The server of `roomscribe console` replaces this by the token of the profile, which never gets here. */
const replacedByServer = 'session';

/** Signs the reader in, the way that the deployment wants. Never returns if the page leaves for the issuer. Throws a `SignInError`. */
export async function openSession(): Promise<Session> {
  const config = await loadConfig();
  const deployment = config.deployment === undefined ? {} : { deployment: config.deployment };
  if (config.signIn === 'session') return { ...deployment, token: replacedByServer };
  if (config.signIn === 'token') return { ...deployment, token: renewedTokens(config) };
  return { ...deployment, ...(await personSession(new OidcSignIn(config, consoleAddress()))) };
}

function renewedTokens(first: SignInConfig & { readonly signIn: 'token' }): TokenSource {
  let { token, expiresAt } = first;
  return async (refused) => {
    if (token === refused || Date.parse(expiresAt) - marginMs < Date.now()) {
      const next = await loadConfig();
      if (next.signIn === 'token') ({ token, expiresAt } = next);
    }
    return token;
  };
}

async function personSession(signIn: OidcSignIn): Promise<Session> {
  const here = () => location.pathname + location.search;
  await takeAnswer(signIn);
  if (!(await signIn.tokens())) {
    if (readTab('signedOut')) throw new SignInError('signed_out', 'The reader has signed out in this tab.');
    return signIn.begin(here());
  }
  writeTab('signedOut', undefined);
  hideAfterSignOut();
  return {
    token: async (refused) => (await signIn.tokens(refused))?.accessToken ?? signIn.begin(here()),
    signInAgain: () => signIn.begin(here()),
    signOut: () => signIn.signOut(),
  };
}

/**
 * Takes an answer of the issuer from the address, where its code must not stay. The address is then the one that the reader asked for, also
 * after an error, so that another attempt leads there.
 */
async function takeAnswer(signIn: OidcSignIn): Promise<void> {
  const answer = new URL(location.href);
  if (!signIn.isAnswer(answer)) return;
  const attempt = signIn.takeAttempt(answer);
  history.replaceState(null, '', attempt?.returnTo ?? consoleAddress());
  if (attempt) await signIn.complete(answer, attempt);
}

/** Browsers keep pages in memory, and show them again on the way back. One from before a sign-out starts anew, and shows nothing of the reader's. */
function hideAfterSignOut(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && !readTab('tokens')) location.reload();
  });
}

/** Loads the page again at its address, and signs in, also after a sign-out. */
export function startAgain(): void {
  writeTab('signedOut', undefined);
  location.reload();
}

/** The address to which the issuer sends readers back. */
function consoleAddress(): string {
  return new URL(import.meta.env.BASE_URL, location.origin).href;
}
