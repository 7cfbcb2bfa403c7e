import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { StageSecretReader } from '../../use-cases/webhook-ports.ts';

/** Reads a secret once for each process. Throws if it has no text. A failed read is tried again by the next call. */
export function stageSecret(client: Pick<SecretsManagerClient, 'send'>, SecretId: string): StageSecretReader {
  let reading: Promise<string> | undefined;
  const readOnce = async () => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    if (!SecretString) throw new Error('The secret of the stage has no text.');
    return SecretString;
  };
  return {
    read() {
      reading ??= readOnce().catch((error) => {
        reading = undefined;
        throw error;
      });
      return reading;
    },
  };
}
