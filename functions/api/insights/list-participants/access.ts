import { participantSortFields } from '#shared/contracts/insights/insights.ts';
import type { Access } from '#shared/runtime/access.ts';
import { participantPartitions, sortIndexName } from '#shared/runtime/names.ts';

/** AWS permissions of list-participants. */
export const access: Access = {
  tables: { participants: ['BatchGetItem', 'Query'] },
  queries: {
    participants: participantPartitions.flatMap((partition) =>
      participantSortFields.map((field) => sortIndexName(field, partition)),
    ),
  },
};
