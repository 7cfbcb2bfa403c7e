import { type TranscribeJobs, transcribeJobs } from '#shared/adapters/transcriptions/transcribe-jobs.ts';
import type { BucketName, TableName } from '#shared/runtime/names.ts';
import type { Write } from '#shared/storage/insights/session-writes.ts';
import { managedSecrets } from '../connections/secrets.ts';
import type { Deployment } from './deployment.ts';
import { countBelow, eraseAllBelow, eraseKeys, type KeySelection } from './objects.ts';
import { type Row, removeIfUnchanged, removeRows } from './rows.ts';
import { replaceRows } from './writes.ts';

/** What an erasure does with the data that it finds: it removes them or, in a preview, leaves them. */
export type Removal = {
  /** The word for the progress that the operator sees. */
  readonly verb: 'Removing' | 'Counting';
  readonly rows: (table: TableName, rows: readonly Row[]) => Promise<void>;
  /** Handles a row that leads to other rows. Returns false if the row stays, because it was written since it was read. */
  readonly parent: (table: TableName, row: Row) => Promise<boolean>;
  /** Replaces rows that also have data of others. Returns false if a row was written since it was read. */
  readonly replace: (writes: readonly Write[]) => Promise<boolean>;
  /** Runs a change of what also has data of others and is no row. */
  readonly change: (change: () => Promise<void>) => Promise<void>;
  readonly objects: (bucket: BucketName, keys: readonly string[]) => Promise<void>;
  /** Handles the selected objects below a prefix and returns their number. */
  readonly objectsBelow: (bucket: BucketName, prefix: string, select: KeySelection) => Promise<number>;
  readonly job: TranscribeJobs['remove'];
  /** Handles the secrets of a connection. */
  readonly secret: (connectionId: string) => Promise<void>;
};

/** Removes everything. */
export function removing(deployment: Deployment): Removal {
  const { s3, buckets, transcribe, jobNamePrefix } = deployment;
  return {
    verb: 'Removing',
    rows: (table, rows) => removeRows(deployment, table, rows),
    parent: (table, row) => removeIfUnchanged(deployment, table, row),
    replace: (writes) => replaceRows(deployment, writes),
    change: (change) => change(),
    objects: (bucket, keys) => eraseKeys(s3, buckets[bucket], keys),
    objectsBelow: (bucket, prefix, select) => eraseAllBelow(s3, buckets[bucket], prefix, select),
    job: transcribeJobs(transcribe, jobNamePrefix, buckets.transcripts).remove,
    secret: managedSecrets(deployment).remove,
  };
}

/** Removes nothing, so that the erasure only counts what it finds. */
export function counting({ s3, buckets }: Deployment): Removal {
  return {
    verb: 'Counting',
    rows: async () => {},
    parent: async () => true,
    replace: async () => true,
    change: async () => {},
    objects: async () => {},
    objectsBelow: (bucket, prefix, select) => countBelow(s3, buckets[bucket], prefix, select),
    job: async () => 'removed',
    secret: async () => {},
  };
}
