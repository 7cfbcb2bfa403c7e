import { createHash } from 'node:crypto';

/** JSON text, and the hash by which clients know its version. */
export type Document = { readonly text: string; readonly hash: string };

/** The document of an object. The same object always has the same hash. */
export function documentOf(content: object): Document {
  const text = JSON.stringify(content);
  return { text, hash: createHash('sha256').update(text).digest('base64url') };
}
