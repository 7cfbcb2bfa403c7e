import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mayBeMissing, SessionParticipant } from '#shared/contracts/insights/insights.ts';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { attributeNames, sortAttributeName } from '#shared/runtime/names.ts';
import { foreignCursor } from '../common/cursor.ts';
import { compareKeys, type KeyRange } from '../common/keys.ts';
import { firstOf, type Item, type Page, positionOf, type SortedList } from '../common/sorted-query.ts';
import { organizationSession, participantPages } from './keys.ts';
import { participantsOfPage, type SortField, sortAttributesOfParticipant } from './participant-items.ts';
import { afterAllValues, firstValues, missingValues } from './sort-attributes.ts';

/** The participants of one session id in the order of a field. */
export type ParticipantList = Pick<SortedList, 'name' | 'tableName' | 'direction' | 'cursor' | 'limit'> & {
  readonly session: SessionId;
  readonly field: SortField;
};

/** A sort key has at most 1 024 bytes, and the longest position of a participant about 860. */
const maxPositionBytes = 1_000;

/** Reads the pages of a range, forward or backward, as they are needed. `expected` is how many of them will probably do. */
type ReadPages = (range: KeyRange, isBackward: boolean, expected: number) => AsyncGenerator<Item>;

/**
 * Reads a page of a session's participants. The table has the sorted lists in pages of its own, so this takes one query, and two with
 * a cursor in ascending order or where a field's missing values begin.
 */
export async function readParticipants(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  list: ParticipantList,
): Promise<Page<SessionParticipant>> {
  const { session, field, limit, tableName } = list;
  const sortKey = sortAttributeName(field);
  const sorted = {
    range: [firstValues, afterAllValues],
    ...list,
    sortKey,
    partition: [attributeNames.organizationSession, organizationSession(session)],
  } as const;
  const found = new Map<string, Item>();
  for await (const elements of elementsOf(readPagesOf(documents, tableName, session), list, positionIn(sorted))) {
    for (const element of elements) {
      // A participant that moves during the query may appear twice. Only the first appearance is shown.
      const { roomName, listed } = element;
      const name = JSON.stringify([roomName, listed.participantId]);
      if (!found.has(name)) found.set(name, element);
    }
    if (found.size > limit) break; // one more shows whether there is a next page
  }
  const { results, cursor } = firstOf([...found.values()], sorted);
  return { results: results.map(({ listed }) => listed as SessionParticipant), cursor };
}

/** The position in the cursor. Throws `InvalidRequest` for one that is too long for a key, because the key of a page has the field before it. */
function positionIn(list: SortedList): string | undefined {
  const position = positionOf(list);
  if (Buffer.byteLength(position ?? '') > maxPositionBytes) throw foreignCursor();
  return position;
}

function readPagesOf(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  TableName: string,
  session: SessionId,
): ReadPages {
  return async function* ([first, last], isBackward, expected) {
    let after: Item | undefined;
    let limit = expected;
    do {
      const { Items = [], LastEvaluatedKey } = await documents.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'organizationSession = :session AND listKey BETWEEN :first AND :last',
          ExpressionAttributeValues: { ':session': organizationSession(session), ':first': first, ':last': last },
          ScanIndexForward: !isBackward,
          Limit: limit,
          ...(after && { ExclusiveStartKey: after }),
        }),
      );
      yield* Items;
      after = LastEvaluatedKey;
      limit *= 2; // many pages can be empty, after everyone has left
    } while (after);
  };
}

type Element = { readonly roomName: string; readonly listed: SessionParticipant } & Record<string, string | object>;

/**
 * The elements after a position, in the order of the list, as many at once as a page of the table has. In descending order, those
 * without a value follow, in ascending order.
 */
async function* elementsOf(
  readPages: ReadPages,
  list: ParticipantList,
  position: string | undefined,
): AsyncGenerator<Element[]> {
  if (list.direction === 'asc') return yield* ascending(readPages, list, position);
  if (position !== undefined && position >= missingValues) return yield* ascending(readPages, list, position);
  yield* descending(readPages, list, position ?? missingValues);
  if (mayBeMissing(SessionParticipant, list.field)) yield* ascending(readPages, list, missingValues);
}

/** Elements of a page with their sort keys. */
function elementsOfPage({ session, field }: ParticipantList, item: Item): Element[] {
  const name = sortAttributeName(field);
  return participantsOfPage(item).map(({ roomName, listed }) => {
    const element = { roomName, listed };
    return { ...element, [name]: sortAttributesOfParticipant(session, element, [field])[name] ?? '' };
  });
}

async function* ascending(readPages: ReadPages, list: ParticipantList, position: string | undefined) {
  const name = sortAttributeName(list.field);
  const expected = Math.ceil(list.limit / 2) + 1;
  // The position is in the last page that begins before it, or between two pages.
  if (position !== undefined && position !== missingValues)
    for await (const item of readPages(participantPages(list.field, '', position), true, 1)) {
      const elements = elementsOfPage(list, item);
      yield elements.filter((element) => compareKeys(String(element[name]), position) > 0);
      if (elements.length > 0) break;
    }
  for await (const item of readPages(participantPages(list.field, position), false, expected))
    yield elementsOfPage(list, item).filter(
      (element) => position === undefined || compareKeys(String(element[name]), position) > 0,
    );
}

async function* descending(readPages: ReadPages, list: ParticipantList, position: string) {
  const name = sortAttributeName(list.field);
  const expected = Math.ceil(list.limit / 2) + 1;
  for await (const item of readPages(participantPages(list.field, '', position), true, expected))
    yield elementsOfPage(list, item)
      .filter((element) => compareKeys(String(element[name]), position) < 0)
      .toReversed();
}
