import type { Access } from '#shared/access.ts';
import { participantSortFields } from '#shared/contracts/insights.ts';
import { participantPartitions, sortIndexName } from '#shared/names.ts';

/** AWS permissions of list-participants. */
export const access: Access = {
  tables: { participants: ['BatchGetItem', 'Query'] },
  queries: {
    participants: participantPartitions.flatMap((partition) =>
      participantSortFields.map((field) => sortIndexName(field, partition)),
    ),
  },
};
