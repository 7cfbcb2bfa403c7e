import type { BucketName, IndexName, QueueName, RetainedKind, TableName } from '../names.ts';

/**
 * What a function may touch, in IAM's own action names. The stack turns it into the function's policy and environment,
 * and grants nothing else.
 */
export type Access = {
  readonly tables?: { readonly [name in TableName]?: readonly TableAction[] };
  /** Indexes that the function may query. */
  readonly queries?: { readonly [name in TableName]?: readonly IndexName[] };
  readonly buckets?: { readonly [name in BucketName]?: readonly BucketAction[] };
  readonly sendsTo?: readonly QueueName[];
  readonly transcribe?: readonly TranscribeAction[];
  /** The function signs download links with the role that may do nothing but read transcripts. */
  readonly signsTranscriptLinks?: true;
  /** Whose retention the function works by, where the stage sets one. */
  readonly retentionOf?: RetainedKind;
};

type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem';
type BucketAction = 'GetObject' | 'PutObject' | 'DeleteObject' | 'ListBucket';
type TranscribeAction = 'StartTranscriptionJob' | 'TagResource' | 'GetTranscriptionJob' | 'DeleteTranscriptionJob';
