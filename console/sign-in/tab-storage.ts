import { SignInError } from './config.ts';

/** What the tab keeps: the sign-in that runs, the tokens, that the reader has signed out, and the version it left. */
const keys = {
  attempt: 'roomscribe.sign-in',
  tokens: 'roomscribe.tokens',
  signedOut: 'roomscribe.signed-out',
  left: 'roomscribe.left',
} as const;

/** Reads what this tab keeps. It ends with the tab, and only a duplicate of the tab has a copy. Throws a `SignInError` if the browser allows no storage. */
export function readTab<Value>(name: keyof typeof keys): Value | undefined {
  const text = storage().getItem(keys[name]);
  return text === null ? undefined : (JSON.parse(text) as Value);
}

/** Keeps a value in this tab. Undefined removes it. */
export function writeTab(name: keyof typeof keys, value: unknown): void {
  if (value === undefined) storage().removeItem(keys[name]);
  else storage().setItem(keys[name], JSON.stringify(value));
}

/** A browser that blocks the data of sites throws as soon as a page names the storage. */
function storage(): Storage {
  try {
    return sessionStorage;
  } catch (error) {
    throw new SignInError('no_storage', error instanceof Error ? error.message : String(error));
  }
}
