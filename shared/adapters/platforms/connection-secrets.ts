import {
  GetSecretValueCommand,
  InvalidRequestException,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { type ConnectionSecret, secretsIn } from '#shared/contracts/platforms/connection.ts';
import type { SecretStore } from '#shared/use-cases/platforms/ports.ts';

/** For how long secrets are used without a look at Secrets Manager. A secret that was withdrawn is refused after this time. */
const keptMs = 60_000;
/** Anybody can send wrong signatures, so they cost at most one call in this time for a connection. */
const freshEveryMs = 10_000;
/** More connections than one function serves in a minute. */
const maxKept = 1_000;

type Kept = { readonly readAt: number; readonly secrets: readonly ConnectionSecret[] };

/**
 * Implements `SecretStore` with Secrets Manager. Secrets are kept in memory for a minute. A fresh read of the same connection is made
 * at most once in ten seconds: until then, the kept secrets are returned.
 */
export function connectionSecrets(
  client: Pick<SecretsManagerClient, 'send'>,
  prefix: string,
  { now = Date.now }: { readonly now?: () => number } = {},
): SecretStore {
  const kept = new Map<string, Kept>();
  return {
    async read(connectionId, { fresh = false } = {}) {
      const known = kept.get(connectionId);
      if (known && now() - known.readAt < (fresh ? freshEveryMs : keptMs)) return known.secrets;
      const readAt = now();
      const secrets = await secretsOf(client, `${prefix}${connectionId}`);
      kept.delete(connectionId); // so that the order of the map is that of the reads
      kept.set(connectionId, { readAt, secrets });
      if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '');
      return secrets;
    },
  };
}

async function secretsOf(
  client: Pick<SecretsManagerClient, 'send'>,
  SecretId: string,
): Promise<readonly ConnectionSecret[]> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    const secrets = secretsIn(SecretString);
    if (!secrets) throw new Error('The secret of a connection is not of the form that this service writes.');
    return secrets.toReversed();
  } catch (error) {
    if (error instanceof ResourceNotFoundException || isMarkedForDeletion(error)) return [];
    throw error;
  }
}

/** Secrets Manager reads no secret whose deletion is scheduled. */
function isMarkedForDeletion(error: unknown): boolean {
  return error instanceof InvalidRequestException;
}
