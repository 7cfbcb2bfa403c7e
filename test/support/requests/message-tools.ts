import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TableName } from '#shared/runtime/names.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** What a message is made with. */
export type MessageTools = {
  /** A message that was sent to the queue of a worker. 0 and 1 are the last two, and negative numbers those before them. */
  readonly sent: (worker: string, index: number) => unknown;
  /** Stores a file. Returns where it is. */
  readonly put: (
    bucket: 'recordings' | 'transcripts',
    key: string,
    body: string | Uint8Array,
  ) => Promise<{ readonly bucket: string; readonly key: string }>;
  /** Writes an item into one of the tables of the stack. Returns the write. */
  readonly store: <Write extends TransactItem>(
    writeOf: (tables: Readonly<Record<TableName, string>>) => Write,
  ) => Promise<Write>;
  /** Invokes another function, which is not measured. Throws if it fails. */
  readonly invoke: (name: string, event: object) => Promise<void>;
  readonly token: () => Promise<string>;
  readonly stackName: string;
};

/** The n-th event of a function. Those of workers are of the messages that requests, or workers before it, have sent. */
export type NumberedMessage = (index: number, tools: MessageTools) => object | Promise<object>;
