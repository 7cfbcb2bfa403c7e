import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { transcriptionFilters } from '#shared/contracts/transcriptions/transcription.ts';
import type { ListTranscriptions } from '#shared/contracts/transcriptions/transcription-operations.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { timeRange } from '../common/keys.ts';
import { type Page, queryPage } from '../common/sorted-query.ts';
import { listKey } from './list-key.ts';
import { toRecord } from './row.ts';

/** Lists an organization's transcriptions, one page per call. */
export type TranscriptionLister = (
  organizationId: OrganizationId,
  query: ListTranscriptions,
) => Promise<Page<TranscriptionRecord>>;

/**
 * Lists transcriptions with one query of one index per page. A page begins after a position in the order, not after an
 * item, so items that are added or deleted between two pages cause no repetitions or gaps.
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
      // A cursor is valid only for the list with this name.
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
