import { expect, test } from 'vitest';
import type { List } from '../../../client/list.ts';
import type { Delivery } from '../../../client/types.ts';
import { deliveriesCsv } from '../../../console/views/webhooks/deliveries-csv.ts';

const delivery = (noticeId: string, state: Delivery['state']) =>
  ({ noticeId, state, type: 'room.session.ended', attempts: 1, answerCode: null }) as Delivery;

function listOf(...pages: readonly (readonly Delivery[])[]): List<Delivery> {
  return {
    async *pages() {
      for (const results of pages) yield { results, cursor: null };
    },
  } as unknown as List<Delivery>;
}

async function rowsOf(status: string | undefined): Promise<string[]> {
  const pieces: string[] = [];
  const list = listOf([delivery('one', 'failed'), delivery('two', 'delivered')], [delivery('three', 'failed')]);
  for await (const piece of deliveriesCsv(list, status)) pieces.push(piece);
  return pieces.join('').split('\r\n');
}

test('the CSV of deliveries has those of all pages, below the names of the fields', async () => {
  const [header, ...rows] = await rowsOf(undefined);

  expect(header).toBe(
    'noticeId,createdAt,type,state,answerCode,failureCode,latencyMs,attempts,lastAttemptAt,nextAttemptAt',
  );
  expect(rows).toEqual([
    'one,,room.session.ended,failed,,,,1,,',
    'two,,room.session.ended,delivered,,,,1,,',
    'three,,room.session.ended,failed,,,,1,,',
    '',
  ]);
});

test('the CSV of deliveries has those of the state that is shown, or all if there is no such state', async () => {
  expect((await rowsOf('failed')).map((row) => row.slice(0, 5))).toEqual(['notic', 'one,,', 'three', '']);
  expect(await rowsOf('lost')).toHaveLength(5);
});
