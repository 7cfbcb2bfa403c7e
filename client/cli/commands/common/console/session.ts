import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The way in for one browser: a link that works once, which a cookie replaces. */
export type Session = {
  /** The secret of the link. */
  readonly key: string;
  /** Takes the secret of a link. Returns the cookie to set if it is right and was not used before. */
  readonly enter: (key: string) => Entry;
  /** Whether a request has the cookie. */
  readonly isIn: (request: IncomingMessage) => boolean;
};

/** The cookie to set, or why there is none. */
export type Entry = { readonly cookie: string } | 'used' | 'wrong';

/** A session of the server at this port. Cookies know no ports, so the name of the cookie has it. */
export function createSession(port: number): Session {
  const [key, value] = [randomText(), randomText()];
  const name = `roomscribe-${port}`;
  let isUsed = false;
  return {
    key,
    enter: (given) => {
      if (!isEqual(given, key)) return 'wrong';
      if (isUsed) return 'used';
      isUsed = true;
      return { cookie: `${name}=${value}; Path=/; HttpOnly; SameSite=Strict` };
    },
    isIn: ({ headers }) => cookiesOf(headers.cookie).some(([own, its]) => own === name && isEqual(its, value)),
  };
}

/** A text of 32 random bytes, for an address. */
export function randomText(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in constant time: hashes of any two texts have one length. */
function isEqual(one: string, other: string): boolean {
  const [hash, otherHash] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return hash !== undefined && otherHash !== undefined && timingSafeEqual(hash, otherHash);
}

function cookiesOf(header = ''): (readonly [name: string, value: string])[] {
  return header.split(';').map((text) => {
    const [name = '', ...value] = text.trim().split('=');
    return [name, value.join('=')];
  });
}
