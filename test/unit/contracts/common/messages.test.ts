import { expect, test } from 'vitest';
import { BulkDeleteMessage, TranscribeJobStateChange, TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { issuesOf, taken } from '../../../support/issues.ts';
import { uuid } from '../../../support/operations/records.ts';

const owner = { organizationId: 'acme', transcriptionId: uuid(1) };

test('TranscriptionJobMessage reads a message without an attempt as attempt 0', () => {
  expect(taken(TranscriptionJobMessage, owner)).toEqual({ ...owner, attempt: 0 });
});

test.each([{ attempt: -1 }, { attempt: 1.5 }, { attempt: '1' }, { organizationId: 'a b' }, { transcriptionId: 'x' }])(
  'TranscriptionJobMessage rejects %j',
  (change) => {
    expect(issuesOf(TranscriptionJobMessage, { ...owner, ...change })).toHaveLength(1);
  },
);

test.each([
  [0, 1],
  [1, 0],
  [1_000, 0],
  [1_001, 1],
])('BulkDeleteMessage with %d ids has %d issues', (count, issues) => {
  const transcriptionIds = Array.from({ length: count }, (_, index) => uuid(index));
  expect(issuesOf(BulkDeleteMessage, { organizationId: 'acme', transcriptionIds })).toHaveLength(issues);
});

test('BulkDeleteMessage reads a message of an earlier version as one without failures', () => {
  const earlier = { organizationId: 'acme', transcriptionIds: [uuid(1)] };
  expect(taken(BulkDeleteMessage, earlier)).toEqual({ ...earlier, failedInARow: 0 });
});

const stateChange = (detail: object) => ({
  version: '0',
  'detail-type': 'Transcribe Job State Change',
  source: 'aws.transcribe',
  detail: { TranscriptionJobName: 'job', TranscriptionJobStatus: 'COMPLETED', ...detail },
});

test('TranscribeJobStateChange accepts the event in the form that EventBridge sends', () => {
  expect(taken(TranscribeJobStateChange, stateChange({})).detail.TranscriptionJobName).toBe('job');
  const failed = stateChange({ TranscriptionJobStatus: 'FAILED', FailureReason: 'why' });
  expect(taken(TranscribeJobStateChange, failed).detail.FailureReason).toBe('why');
});

test.each([{ TranscriptionJobStatus: 'IN_PROGRESS' }, { TranscriptionJobName: undefined }, { FailureReason: 7 }])(
  'TranscribeJobStateChange rejects %j',
  (detail) => {
    expect(issuesOf(TranscribeJobStateChange, stateChange(detail))).toHaveLength(1);
  },
);
