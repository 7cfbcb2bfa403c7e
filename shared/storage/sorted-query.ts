import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { SortDirection } from '../contracts/fields.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { KeyRange } from './keys.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;
/** What a query finds. */
export type Item = Record<string, unknown>;

/** A page of a list, and where the next begins. */
export type Page<Element> = { readonly results: readonly Element[]; readonly cursor: string | null };

/** One list: what makes its cursors its own, where it is read, and how it goes on. */
export type SortedList = {
  readonly name: readonly unknown[];
  readonly tableName: string;
  /** None where the table itself is in the order that is asked for. */
  readonly index?: string;
  readonly partition: readonly [name: string, value: string];
  readonly sortKey: string;
  /** The sort keys that belong to the list; all of the partition's where there is none. */
  readonly range?: KeyRange | undefined;
  readonly direction: SortDirection;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** The sort key after which the list goes on; undefined at its beginning. Throws `InvalidRequest` for a cursor of another list. */
export function positionOf({ name, cursor, range }: SortedList): string | undefined {
  return cursor === undefined ? undefined : decodeCursor(name, cursor, range);
}

/** A page of whole items, which the index or the table gives in one query: a hundred of the largest are below its 1 MB. */
export async function queryPage(documents: Documents, list: SortedList): Promise<Page<Item>> {
  const beyond = list.direction === 'asc' ? '>' : '<';
  return firstOf(await queryBeyond(documents, list, beyond, positionOf(list), list.limit + 1), list);
}

/** The page that the items begin; one item more than the limit tells that there is a next page. */
export function firstOf(items: readonly Item[], { name, limit, sortKey }: SortedList): Page<Item> {
  const results = items.slice(0, limit);
  const last = items.length > limit ? results.at(-1) : undefined;
  return { results, cursor: last ? encodeCursor(name, String(last[sortKey])) : null };
}

/** The `count` items that follow a position, which need not be that of an item. */
export async function queryBeyond(
  documents: Documents,
  { tableName, index, partition, sortKey, range }: SortedList,
  beyond: '>' | '<',
  position: string | undefined,
  count: number,
): Promise<Item[]> {
  const { condition, values } = sortCondition(range, beyond, position);
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName,
      IndexName: index,
      KeyConditionExpression: `#partition = :partition${condition}`,
      ExpressionAttributeNames: { '#partition': partition[0], ...(condition && { '#sort': sortKey }) },
      ExpressionAttributeValues: { ':partition': partition[1], ...values },
      ScanIndexForward: beyond === '>',
      Limit: range && position !== undefined ? count + 1 : count,
    }),
  );
  return Items.filter((item) => item[sortKey] !== position).slice(0, count);
}

/** BETWEEN takes in both ends: a range goes on from the position itself, and so finds the item shown last once more. */
function sortCondition(range: KeyRange | undefined, beyond: '>' | '<', position: string | undefined) {
  if (range) {
    const [first, last] = beyond === '>' ? [position ?? range[0], range[1]] : [range[0], position ?? range[1]];
    return { condition: ' AND #sort BETWEEN :first AND :last', values: { ':first': first, ':last': last } };
  }
  if (position === undefined) return { condition: '', values: {} };
  return { condition: ` AND #sort ${beyond} :position`, values: { ':position': position } };
}
