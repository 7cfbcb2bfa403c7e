import { columnsOf, rowOf } from '#shared/contracts/common/columns.ts';
import type { Endpoint } from '#shared/contracts/common/endpoint.ts';
import { nextCursorHeader, rowMediaTypes } from '#shared/contracts/common/row-formats.ts';
import type { Json } from './answers.ts';

type Response = Endpoint['response'];

/** The CSV and the NDJSON of an answer that has rows. Empty for any other answer. */
export function rowContent(response: Response): Json {
  const row = rowOf(response);
  if (!row) return {};
  const columns = columnsOf(row).map((column) => `\`${column.join('.')}\``);
  const text = (description: string): Json => ({ schema: { type: 'string', description } });
  return {
    [rowMediaTypes.csv]: text(
      `CSV (RFC 4180) with the header line, in UTF-8. The columns are ${columns.join(', ')}. Read them by name, because ` +
        'later versions can add columns anywhere. An array is JSON in one cell. A missing value is an empty cell. A text that ' +
        'begins like a formula (`=`, `+`, `-`, `@`, tab, line break) gets a leading apostrophe.',
    ),
    [rowMediaTypes.ndjson]: text('One JSON object in each line: the elements of the list as in `application/json`.'),
  };
}

/** The header with the cursor of an answer that is a page of rows. */
export function rowHeaders(response: Response): Json {
  if (!response || !rowOf(response) || response._zod.def.type === 'array') return {};
  const description =
    'The `cursor` of the next page, only if the answer is CSV or NDJSON. The last page does not have this header.';
  return { [nextCursorHeader]: { description, schema: { type: 'string' } } };
}
