import { describe, expect, it } from 'vitest';
import { failedIds } from '#tools/local/lambda/batch-response.ts';

const failed = (answer: unknown) => [...failedIds(JSON.stringify(answer), ['a', 'b'])];

describe('failedIds', () => {
  it.each([
    ['null', null],
    ['an empty object', {}],
    ['a null list', { batchItemFailures: null }],
    ['an empty list', { batchItemFailures: [] }],
  ])('returns no message for %s', (_, answer) => {
    expect(failed(answer)).toEqual([]);
  });

  it('returns the messages that the response names', () => {
    expect(failed({ batchItemFailures: [{ itemIdentifier: 'b' }] })).toEqual(['b']);
  });

  it.each([
    ['text', 'done'],
    ['a list', []],
    ['failures that are not a list', { batchItemFailures: 'a' }],
    ['an unknown id', { batchItemFailures: [{ itemIdentifier: 'c' }] }],
    ['an unknown id beside a known one', { batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: 'c' }] }],
    ['an empty id', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['a null id', { batchItemFailures: [{ itemIdentifier: null }] }],
    ['a misspelt key', { batchItemFailures: [{ itemIdentifer: 'a' }] }],
    ['a null failure', { batchItemFailures: [null] }],
  ])('returns all messages of the batch for %s', (_, answer) => {
    expect(failed(answer)).toEqual(['a', 'b']);
  });
});
