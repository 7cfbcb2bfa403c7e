import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { sessionLog } from '../../domain/session-log.ts';
import { peopleOf } from '../../domain/session-stays.ts';
import type { SessionPeopleReader } from '../../use-cases/ports.ts';
import { factQueries } from './fact-queries.ts';
import { blocksAfter, organizationSession } from './keys.ts';
import { toBlock } from './session-blocks.ts';

/** Implements `SessionPeopleReader` with the logs of sessions. A log that has expired has nobody. */
export function sessionPeople(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string): SessionPeopleReader {
  const { each } = factQueries(documents, tableName);
  return {
    async peopleOf(session, clockStart) {
      const log = sessionLog();
      const query = { owner: organizationSession(session), range: blocksAfter(0), consistent: true };
      for await (const item of each(query)) log.append(toBlock(item));
      return peopleOf(session, log, clockStart);
    },
  };
}
