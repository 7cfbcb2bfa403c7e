import { randomBytes } from 'node:crypto';
import type { ConnectionSecret, PlatformName } from '#shared/contracts/platforms/connection.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { UserError } from '#tools/shared/user-error.ts';
import type { Dependencies } from '../organization/scope.ts';

const secretBytes = 32;
const maxLength = 1000;

/** How the operator gives a secret: the id that the platform names it by, and whether its value is on standard input. */
export type Given = { readonly keyId?: string | undefined; readonly secretStdin?: boolean | undefined };

/** Throws a `UserError` if an option for secrets does not fit the platform. */
export function assertGiven(platform: PlatformName, { keyId, secretStdin }: Given): void {
  const { title, secretOrigin } = platforms[platform];
  if (secretOrigin === 'generated' && secretStdin)
    throw new UserError(`Use no --secret-stdin with ${title}: this command makes the secret and prints it.`);
  if (secretOrigin === 'given-with-id' && (keyId === undefined || !/^[\x21-\x7e]{1,200}$/.test(keyId)))
    throw new UserError(`${title} signs with an API key. Give the key with --key-id. The command asks for its secret.`);
  if (secretOrigin !== 'given-with-id' && keyId !== undefined)
    throw new UserError(`Use no --key-id with ${title}: its secrets have no ids.`);
}

/** A new secret of this service. Undefined if the platform makes its secrets. */
export function madeSecret(platform: PlatformName): ConnectionSecret | undefined {
  const { secretOrigin, newSecret = (bytes: Buffer) => bytes.toString('base64url') } = platforms[platform];
  if (secretOrigin !== 'generated') return undefined;
  return { value: newSecret(randomBytes(secretBytes)), createdAt: new Date().toISOString() };
}

/**
 * The secret that the operator has before there is an address: one on standard input, or that of an API key. Other platforms show a
 * secret when they are given the address.
 */
export async function secretKnownBefore(
  { platform, ...given }: Given & { readonly platform: PlatformName },
  dependencies: Dependencies,
): Promise<ConnectionSecret | undefined> {
  const isKnown = given.secretStdin || platforms[platform].secretOrigin === 'given-with-id';
  return isKnown ? askForSecret(platform, given, dependencies) : undefined;
}

/** Asks the operator for a secret of the platform. Returns undefined if there is no answer. */
export async function askForSecret(
  platform: PlatformName,
  { keyId, secretStdin = false }: Given,
  { askSecret }: Pick<Dependencies, 'askSecret'>,
): Promise<ConnectionSecret | undefined> {
  const { title, problemOfSecret } = platforms[platform];
  const id = keyId === undefined ? {} : { id: keyId };
  const value = await askSecret({
    message: keyId === undefined ? `Secret of ${title}, or Enter to give it later:` : `Secret of the API key ${keyId}:`,
    fromStdin: secretStdin,
    problem: (answer) => problemOf(answer) ?? problemOfSecret?.({ ...id, value: answer }),
  });
  return value === undefined ? undefined : { ...id, value, createdAt: new Date().toISOString() };
}

function problemOf(answer: string): string | undefined {
  if (answer.length > maxLength) return `is longer than ${maxLength} characters`;
  return /\p{Cc}/u.test(answer) ? 'has a line break or another control character' : undefined;
}
