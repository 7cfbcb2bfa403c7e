import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { RecordingRegistration, RegistrationOutcome } from '../../use-cases/ports.ts';
import { isLostRace } from '../lost-race.ts';
import { recordingFileKey, recordingKey } from './keys.ts';

/** Stores a recording unless a later report of it is stored, and its organization as the owner of its file unless another one owns it. */
export function recordingRegistration(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: { readonly recordings: string; readonly recordingFiles: string },
): RecordingRegistration {
  return {
    async register({ organizationId, recordingId, ...facts }) {
      const names = Object.keys(facts) as (keyof typeof facts)[];
      const owner = { organizationId, recordingId, claimedAt: facts.finishedAt };
      const transaction = new TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName: tables.recordings,
              Key: recordingKey(organizationId, recordingId),
              UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
              ConditionExpression: 'attribute_not_exists(#finishedAt) OR #finishedAt <= :finishedAt',
              ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
              ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, facts[name]])),
            },
          },
          {
            Update: {
              TableName: tables.recordingFiles,
              Key: recordingFileKey(facts.location),
              UpdateExpression: `SET ${Object.keys(owner)
                .map((name) => `${name} = if_not_exists(${name}, :${name})`)
                .join(', ')}`,
              ConditionExpression: 'attribute_not_exists(organizationId) OR organizationId = :organizationId',
              ExpressionAttributeValues: Object.fromEntries(
                Object.entries(owner).map(([name, value]) => [`:${name}`, value]),
              ),
            },
          },
        ],
      });
      try {
        await documents.send(transaction);
        return 'registered';
      } catch (error) {
        if (isLostRace(error)) return outcomeOf((error.CancellationReasons ?? []).map(({ Code }) => Code));
        throw error;
      }
    },
  };
}

/** The codes are those of the recording and of its file. */
function outcomeOf([ofRecording, ofFile]: readonly (string | undefined)[]): RegistrationOutcome {
  if (ofFile === 'ConditionalCheckFailed') return 'foreign-file';
  const isOutdated = ofRecording === 'ConditionalCheckFailed' && ofFile !== 'TransactionConflict';
  return isOutdated ? 'outdated' : 'lost-race';
}
