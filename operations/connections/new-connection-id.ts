import { randomBytes } from 'node:crypto';

/** Makes the id of a connection: 32 random bytes in base64url. It does not start with `-`, so that no command line takes it for an option. */
export function newConnectionId(): string {
  const id = randomBytes(32).toString('base64url');
  return id.startsWith('-') ? newConnectionId() : id;
}
