import { readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { errorCode } from '#tools/shared/error-details.ts';
import { UserError } from '#tools/shared/user-error.ts';

/** One value of a secret. The current one and the one before it are kept. */
const Version = z.object({ id: z.string(), value: z.string(), createdAt: z.number() });
/** One value of a secret, and when it was written, in epoch seconds. */
export type Version = z.infer<typeof Version>;

const Secret = z.object({
  arn: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
  kmsKeyId: z.optional(z.string()),
  tags: z.array(z.object({ Key: z.string(), Value: z.string() })),
  createdAt: z.number(),
  changedAt: z.number(),
  /** When the recovery window of a deleted secret ends. */
  deletedAt: z.optional(z.number()),
  /** The newest first. */
  versions: z.array(Version).min(1).max(2),
});
/** A secret of the local Secrets Manager. */
export type StoredSecret = z.infer<typeof Secret>;

/** The secrets by their names: in memory for reads, and in one file, so that they survive the process. */
export type SecretStore = {
  readonly all: () => readonly StoredSecret[];
  /**
   * Replaces the secret of a name by what `change` makes of it; undefined removes it. Changes run one after the other, and each is on
   * disk before the next begins. If `change` throws, or the file cannot be written, nothing changes.
   */
  readonly change: (
    name: string,
    change: (secret: StoredSecret | undefined) => StoredSecret | undefined,
  ) => Promise<StoredSecret | undefined>;
};

/** Reads the file of an earlier run. Other users of this machine cannot read the file. */
export async function openSecretStore(file: string): Promise<SecretStore> {
  let secrets = new Map((await readSecrets(file)).map((secret) => [secret.name, secret]));
  let last: Promise<unknown> = Promise.resolve();
  const replace = async (name: string, change: Parameters<SecretStore['change']>[1]) => {
    const before = secrets.get(name);
    const after = change(before);
    if (after === before) return after;
    const next = new Map(secrets);
    if (after === undefined) next.delete(name);
    else next.set(name, after);
    await writeFileAtomic(file, JSON.stringify([...next.values()]), { mode: 0o600 });
    secrets = next;
    return after;
  };
  return {
    all: () => [...secrets.values()],
    change: (name, change) => {
      const changed = last.then(() => replace(name, change));
      last = changed.catch(() => {});
      return changed;
    },
  };
}

async function readSecrets(file: string): Promise<StoredSecret[]> {
  try {
    return z.array(Secret).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    // Without the cause: the message of a parser can quote the file.
    throw new UserError(`The secrets in ${file} cannot be read. Restore the file, or start with --fresh.`);
  }
}
