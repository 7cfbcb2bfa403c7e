import { randomInt, randomUUID } from 'node:crypto';
import type { StackSecret } from '#tools/local/template/stack.ts';
import type { SecretStore } from './secret-store.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Creates the secrets of the stack that do not exist, each with a random value. A restart keeps the values. */
export async function createStackSecrets(store: SecretStore, secrets: readonly StackSecret[]): Promise<void> {
  for (const { name, arn, valueLength } of secrets) {
    await store.change(name, (existing) => {
      if (existing) return existing;
      const createdAt = Date.now() / 1000;
      const value = Array.from({ length: valueLength }, () => letters[randomInt(letters.length)]).join('');
      const versions = [{ id: randomUUID(), value, createdAt }];
      return { arn, name, tags: [], createdAt, changedAt: createdAt, versions };
    });
  }
}
