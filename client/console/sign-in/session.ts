import type { TokenSource } from '../../tokens.ts';
import { loadConfig, type SignInConfig } from './config.ts';
import { OidcSignIn } from './oidc.ts';

/** A reader who is signed in: a source of tokens, and how to sign out if that is possible. */
export type Session = {
  readonly deployment?: string;
  readonly token: TokenSource;
  /** Sends the reader to sign in again. */
  readonly signInAgain?: () => void;
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
  const returnTo = await answered(signIn);
  if (returnTo !== undefined) history.replaceState(null, '', returnTo);
  else if (!(await signIn.tokens())) return signIn.begin(here());
  return {
    token: async (refused) => (await signIn.tokens(refused))?.accessToken ?? signIn.begin(here()),
    signInAgain: () => void signIn.begin(here()),
    signOut: () => signIn.signOut(),
  };
}

/** Takes an answer of the issuer from the address, where its code must not stay, also after an error. Returns where the reader wanted to go. */
async function answered(signIn: OidcSignIn): Promise<string | undefined> {
  const address = new URL(location.href);
  if (!signIn.isAnswer(address)) return undefined;
  history.replaceState(null, '', consoleAddress());
  return signIn.complete(address);
}

/** The address to which the issuer sends readers back. */
function consoleAddress(): string {
  return new URL(import.meta.env.BASE_URL, location.origin).href;
}
