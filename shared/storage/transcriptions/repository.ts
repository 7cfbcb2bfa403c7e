import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { usageOfTranscription } from '#shared/domain/insights/usage-day.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import {
  type ToldRecord,
  toldAfter,
  transcriptionNotice,
} from '#shared/domain/transcriptions/transcription-notices.ts';
import { mayChange, transitions } from '#shared/domain/transcriptions/transcription-states.ts';
import { retry, tryAgain } from '#shared/runtime/retry.ts';
import type { TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';
import { conflictRetries } from '../common/past-conflicts.ts';
import { usageUpdate } from '../insights/usage-update.ts';
import { toRow } from './row.ts';
import { toldWrite } from './told-write.ts';
import { ending, type RepositoryOptions, replacement, type ToldTables, uncountedTranscriptions } from './uncounted.ts';

const liveEnds = { ready: 'liveFinished', failed: 'liveFailed' } as const;

/** The platform has made a live transcription, so Transcribe bills nothing for it. */
const transcribedLive = 0;

/**
 * Implements `TranscriptionStore` with DynamoDB. Every key contains the organization. What others are told of is written with its notice, and
 * a transcription that becomes ready with its usage.
 */
export function transcriptionRepository(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  { usageDays, ...tables }: ToldTables & { readonly usageDays: string },
  { now = () => new Date(), pause }: RepositoryOptions = {},
): TranscriptionStore {
  const telling = { documents, notices: tables.notices, pause };
  const TableName = tables.transcriptions;

  const usage = (record: TranscriptionRecord, readyAt: string, transcribedSeconds: number) => [
    usageUpdate(usageDays, usageOfTranscription(record, readyAt, transcribedSeconds)),
  ];

  const endLive = (event: 'liveFinished' | 'liveFailed', told: ToldRecord, before: TranscriptionRecord | undefined) => {
    const notice = transcriptionNotice(event, told, now());
    const counts = event === 'liveFinished' ? usage(told, notice.createdAt, transcribedLive) : [];
    return toldWrite(telling, replacement(TableName, event, toRow(told), before), notice, counts);
  };

  return {
    ...uncountedTranscriptions(documents, tables, { now, pause }),

    endLive(record) {
      const event = liveEnds[record.state];
      // Most often it has begun. What is stored instead tells the revision, without a read.
      let before: TranscriptionRecord | undefined = {
        ...record,
        state: 'in_progress',
        failure: undefined,
        revision: 1,
      };
      const attempt = async () => {
        const outcome = await endLive(event, toldAfter(before, record), before);
        if (outcome.applied || !mayChange(event, outcome.stored)) return outcome;
        before = outcome.stored as TranscriptionRecord | undefined; // no event changes a tombstone
        return tryAgain;
      };
      return retry(attempt, { ...conflictRetries, pause });
    },

    markReady(record, result, transcribedSeconds) {
      const told = toldAfter(record, { ...record, ...result, state: transitions.transcribed.to });
      const notice = transcriptionNotice('transcribed', told, now());
      const counts = usage(record, notice.createdAt, transcribedSeconds);
      return toldWrite(telling, ending(TableName, 'transcribed', told), notice, counts);
    },
  };
}
