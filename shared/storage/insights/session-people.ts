import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { nobodyKnown } from '#shared/domain/insights/session/session-people.ts';
import { peopleOf } from '#shared/domain/insights/session/session-stays.ts';
import type { SessionPeopleReader } from '#shared/use-cases/insights/ports.ts';
import { factQueries } from './fact-queries.ts';
import { blocksAfter, organizationSession } from './keys.ts';
import { toBlock } from './session-blocks.ts';

/** What a reader of people may be told. */
type Options = {
  /** The roles of the stage that speak although they are no participants. */
  readonly speakerRoles?: readonly string[] | undefined;
  /** Of a session with a larger log, nobody is known. It has events of so many bytes as JSON. */
  readonly mostBytes?: number;
};

/** Implements `SessionPeopleReader` with the logs of sessions. A log that has expired has nobody. */
export function sessionPeople(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
  { speakerRoles, mostBytes = Number.POSITIVE_INFINITY }: Options = {},
): SessionPeopleReader {
  const { each } = factQueries(documents, tableName);
  return {
    async peopleOf(session, clockStart) {
      const log = sessionLog();
      const query = { owner: organizationSession(session), range: blocksAfter(0), consistent: true };
      let bytes = 0;
      for await (const item of each(query)) {
        const block = toBlock(item);
        bytes += block.bytes;
        if (bytes > mostBytes) return nobodyKnown;
        log.append(block);
      }
      return peopleOf(session, log, clockStart, speakerRoles);
    },
  };
}
