import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { transcriptionSortFields } from '#shared/contracts/transcriptions/transcription.ts';
import { ListTranscriptions } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { transcriptionLister } from '#shared/storage/transcriptions/list.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { organizationId, transcriptionRecord, uuid } from '../../../support/operations/records.ts';

type Query = { readonly constructor: { readonly name: string }; readonly input: Readonly<Record<string, unknown>> };

/** A table with more items than any page, which records its queries. */
function endlessTable() {
  const queries: Query[] = [];
  const send = async (query: Query) => {
    queries.push(query);
    const Items = Array.from({ length: Number(query.input.Limit) }, (_, index) =>
      toRow(transcriptionRecord({ transcriptionId: uuid(index) })),
    );
    return { Items, LastEvaluatedKey: {} };
  };
  const documents = { send } as unknown as Pick<DynamoDBDocumentClient, 'send'>;
  return { queries, list: transcriptionLister(documents, 'transcriptions') };
}

const directions = ['asc', 'desc'];
const orders = transcriptionSortFields.flatMap((field) => directions.map((direction) => `${field}:${direction}`));

describe.each(orders)('a page ordered by %s', (sortBy) => {
  test.each([{}, { roomName: '/a' }])(
    'of %j takes one query of one index, for one item more than the limit',
    async (filter) => {
      const { queries, list } = endlessTable();
      let cursor: string | null = null;
      for (let page = 1; page <= 3; page++) {
        const query = { limit: '7', sortBy, ...filter, ...(cursor !== null && { cursor }) };
        const answer = await list(organizationId(), ListTranscriptions.parse(query));
        expect(answer.results).toHaveLength(7);
        expect(queries).toHaveLength(page);
        cursor = answer.cursor;
      }
      for (const query of queries) {
        const { input } = query;
        expect(query.constructor.name).toBe('QueryCommand');
        expect(input).toMatchObject({ IndexName: expect.any(String), Limit: 8 });
        expect(input).not.toHaveProperty('FilterExpression');
      }
    },
  );
});
