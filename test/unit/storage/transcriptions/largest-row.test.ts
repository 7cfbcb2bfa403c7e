import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { missingSpans, shownSpans } from '#shared/domain/transcript/missing-spans.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { organizationId, transcriptionRecord, uuid } from '../../../support/operations/records.ts';

/** A page is one query of 101 rows, and DynamoDB reads at most 1 MB for one. */
const mostBytes = Math.floor(1024 ** 2 / 101);

test('the largest row leaves space for a page of a hundred in one query', () => {
  const lost = Array.from({ length: 1000 }, (_, index) => ({
    ...{ participantId: `${index}`.padEnd(256, 'p'), source: index, missing: 'recording_too_large' as const },
    ...{ from: index + 0.123_456_789, to: index + 0.987_654_321 },
  }));
  const row = toRow(
    transcriptionRecord({
      organizationId: organizationId('o'.repeat(64)),
      ...{ roomName: `/${'r'.repeat(511)}`, filename: 'f'.repeat(255), correlationId: 'c'.repeat(64) },
      ...{ state: 'ready', workId: uuid(9), partCount: 1000, trackRevision: 1000, countedSeconds: 86_400 },
      ...{ recordedSeconds: 86_400.123_456, submittedSeconds: 86_400.123_456, approximateTimes: true },
      location: { bucket: 'b'.repeat(63), key: 'k'.repeat(1024) },
      missing: shownSpans(missingSpans(lost)),
    }),
  );
  // The JSON of an item is longer than what DynamoDB counts: names and values without quotes, braces and types.
  expect(Buffer.byteLength(JSON.stringify(marshall(row, { removeUndefinedValues: true })))).toBeLessThan(mostBytes);
});
