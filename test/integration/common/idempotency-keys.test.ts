import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientOf, codeOf, issuePaths } from '../../support/http/checked-api.ts';
import { organization } from '../../support/machine.ts';

const bulkDelete = '/v1/transcriptions/bulk-delete';
const call = clientOf(organization());
const send = (key: string | string[], transcriptionIds: readonly string[]) =>
  call('POST', bulkDelete, { body: { transcriptionIds }, headers: { 'idempotency-key': key } });

it('a repeated idempotency key returns the first answer, or 422 with another body', async () => {
  const [key, id, other] = [randomUUID(), randomUUID(), randomUUID()];
  expect((await send(key, [id])).status).toBe(204);
  expect((await send(key, [id.toUpperCase()])).status).toBe(204);
  const refused = await send(key, [other]);
  expect([refused.status, codeOf(refused)]).toEqual([422, 'idempotency_key_reused']);
  expect((await send(randomUUID(), [other])).status).toBe(204);
});

it('simultaneous requests with one key succeed or return 409 with Retry-After', async () => {
  const [key, ids] = [randomUUID(), Array.from({ length: 2_000 }, () => randomUUID())];
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(key, ids)));
  for (const answer of answers) {
    expect([204, 409]).toContain(answer.status);
    if (answer.status === 409) {
      expect([codeOf(answer), answer.headers['retry-after']]).toEqual(['idempotency_key_in_use', '1']);
    }
  }
  expect(answers.some(({ status }) => status === 204)).toBe(true);
  expect((await send(key, ids)).status).toBe(204);
});

describe('the Idempotency-Key header', () => {
  it.each([
    ['a', 'a'],
    ['quoted, as in structured headers', '"8e03978e-40d5-43e8-bc93-6894a57f9324"'],
    ['of 255 characters', 'k'.repeat(255)],
    [
      'of every visible character but the comma',
      String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index)).replace(',', ''),
    ],
  ])('may be: %s', async (_, key) => {
    expect((await send(key, [randomUUID()])).status).toBe(204);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['two words', 'a b'],
    ['a list', 'a,b'],
    ['beyond ASCII', 'caf\u00e9'],
    ['given twice', [randomUUID(), randomUUID()]],
  ])('must not be: %s', async (_, key) => {
    const answer = await send(key, [randomUUID()]);
    expect([answer.status, issuePaths(answer)]).toEqual([400, ['idempotency-key']]);
  });
});
