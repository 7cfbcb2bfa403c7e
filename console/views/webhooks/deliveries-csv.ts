import type { List } from '../../../client/list.ts';
import type { Delivery } from '../../../client/types.ts';
import { csvLine } from '../../parts/tables/csv.ts';
import { deliveryStateOf } from './webhook-state.ts';

const fields = [
  'noticeId',
  'createdAt',
  'type',
  'state',
  'answerCode',
  'failureCode',
  'latencyMs',
  'attempts',
  'lastAttemptAt',
  'nextAttemptAt',
] as const satisfies readonly (keyof Delivery)[];

/** Deliveries as CSV with the names of the fields of the API, a piece for each page: all of them, or those of the state that is shown. */
export async function* deliveriesCsv(list: List<Delivery>, status: string | undefined): AsyncGenerator<string> {
  const state = deliveryStateOf(status);
  yield csvLine(fields);
  for await (const { results } of list.pages()) {
    const rows = results.filter((each) => state === undefined || each.state === state);
    yield rows.map((row) => csvLine(fields.map((field) => row[field]))).join('');
  }
}
