import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { StageSecretReader } from '#shared/use-cases/webhooks/ports.ts';

/** For how long a secret is used without a look at Secrets Manager. A replaced one counts everywhere after this time. */
const keptMs = 5 * 60_000;

/** Reads a secret, and keeps it for five minutes. Throws if it has no text. A failed read is tried again by the next call. */
export function stageSecret(
  client: Pick<SecretsManagerClient, 'send'>,
  SecretId: string,
  { now = Date.now }: { readonly now?: () => number } = {},
): StageSecretReader {
  let kept: { readonly readAt: number; readonly secret: Promise<string> } | undefined;
  const readOnce = async () => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    if (!SecretString) throw new Error('The secret of the stage has no text.');
    return SecretString;
  };
  return {
    read() {
      if (kept && now() - kept.readAt < keptMs) return kept.secret;
      const reading = readOnce().catch((error) => {
        kept = undefined;
        throw error;
      });
      kept = { readAt: now(), secret: reading };
      return reading;
    },
  };
}
