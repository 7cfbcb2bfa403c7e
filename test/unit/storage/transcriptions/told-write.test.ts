import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { transcriptionNotice } from '#shared/domain/transcriptions/transcription-notices.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { pastConflicts } from '#shared/storage/common/past-conflicts.ts';
import { toldWrite } from '#shared/storage/transcriptions/told-write.ts';
import { cancelled } from '../../../faults/support/dynamodb-faults.ts';
import { serviceError } from '../../../faults/support/process.ts';
import { transcriptionRecord } from '../../../support/operations/records.ts';

const pause = async () => {};
const notice = transcriptionNotice('failed', { ...transcriptionRecord(), revision: 2 }, new Date());
const conflict = cancelled('TransactionConflict', 'None');
const single = serviceError('TransactionConflictException', 400);

/** A function that throws these errors, one per call, and then succeeds. */
function failingWith(...errors: readonly Error[]) {
  let calls = 0;
  const call = async () => {
    const error = errors[calls++];
    if (error) throw error;
    return 'done';
  };
  return { call, calls: () => calls };
}

const write = (send: () => Promise<unknown>) =>
  toldWrite({ documents: { send } as never, notices: 'notices', pause }, { Put: { TableName: 't', Item: {} } }, notice);

describe('a write with its notice', () => {
  test('is tried again while another writer has the item', async () => {
    const { call, calls } = failingWith(conflict, cancelled('None', 'TransactionConflict'));
    expect(await write(call)).toEqual({ applied: true });
    expect(calls()).toBe(3);
  });

  test('is refused if its condition fails, also beside a conflict', async () => {
    for (const error of [
      cancelled('ConditionalCheckFailed', 'None'),
      cancelled('ConditionalCheckFailed', 'TransactionConflict'),
    ])
      expect(await write(failingWith(error).call)).toEqual({ applied: false, stored: undefined });
  });

  test('throws what is no race', async () => {
    const throttled = cancelled('ThrottlingError', 'None');
    await expect(write(failingWith(throttled).call)).rejects.toBe(throttled);
  });

  test('gives up after eight conflicts, with the last one as the cause', async () => {
    const attempt = write(failingWith(...Array.from({ length: 8 }, () => conflict)).call);
    await expect(attempt).rejects.toMatchObject({ constructor: ServiceUnavailable, cause: conflict });
  });
});

describe('a single write that meets a transaction', () => {
  test('is tried again, and returns what it returns', async () => {
    const { call, calls } = failingWith(single, single);
    expect(await pastConflicts(call, pause)).toBe('done');
    expect(calls()).toBe(3);
  });

  test('throws other errors', async () => {
    const refused = new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
    await expect(pastConflicts(failingWith(refused).call, pause)).rejects.toBe(refused);
  });

  test('gives up after eight conflicts', async () => {
    const { call, calls } = failingWith(...Array.from({ length: 9 }, () => single));
    await expect(pastConflicts(call, pause)).rejects.toThrow(ServiceUnavailable);
    expect(calls()).toBe(8);
  });
});
