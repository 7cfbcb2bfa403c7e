import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '../../contracts/organization.ts';
import { type ListTranscriptions, transcriptionFilters } from '../../contracts/transcription.ts';
import type { TranscriptionRecord } from '../../domain/transcription.ts';
import { timeRange } from '../keys.ts';
import { type Page, queryPage } from '../sorted-query.ts';
import { listKey } from './list-key.ts';
import { toRecord } from './row.ts';

/** Lists an organization's transcriptions, a page at a time. */
export type TranscriptionLister = (
  organizationId: OrganizationId,
  query: ListTranscriptions,
) => Promise<Page<TranscriptionRecord>>;

/**
 * One query of one index, whatever the page and however many there are. A page begins after a position in the order, not
 * after an item, so items that come and go between two pages are neither repeated nor cause others to be left out.
 */
export function transcriptionLister(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
): TranscriptionLister {
  return async (organizationId, { cursor, limit, sortBy: { field, direction }, ...filters }) => {
    const { roomName = null, ...others } = filters;
    const [filter] = transcriptionFilters.flatMap((name) => {
      const value = filters[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const { results, cursor: next } = await queryPage(documents, {
      name: [field, direction, roomName, ...Object.entries(others)],
      tableName,
      ...listKey(organizationId, field, filter),
      range: timeRange(filters.startDateFrom, filters.startDateTo),
      direction,
      cursor,
      limit,
    });
    return { results: results.map(toRecord), cursor: next };
  };
}
