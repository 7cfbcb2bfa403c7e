import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { RecordingRegistration, Registered, RegistrationOutcome } from '../../use-cases/ports.ts';
import { isLostRace } from '../lost-race.ts';
import { recordingFileKey, recordingKey } from './keys.ts';

type Tables = { readonly recordings: string; readonly recordingFiles: string };
type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * Stores a recording unless a later report of it is stored, and its organization as the owner of its file unless another one owns it.
 * An older report claims its file, too: an erasure finds files by their owners.
 */
export function recordingRegistration(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: Tables,
): RecordingRegistration {
  /** The first write is the claim of the file. */
  async function commit(writes: [claim: Write, recording?: Write]): Promise<RegistrationOutcome> {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems: writes as Write[] }));
      return 'registered';
    } catch (error) {
      if (!isLostRace(error)) throw error;
      const [ofFile, ofRecording] = (error.CancellationReasons ?? []).map(({ Code }) => Code);
      if (ofFile === 'ConditionalCheckFailed') return 'foreign-file';
      return ofRecording === 'ConditionalCheckFailed' ? 'outdated' : 'lost-race';
    }
  }

  return {
    async register(recording) {
      const claim = claimOfFile(tables.recordingFiles, recording);
      const outcome = await commit([claim, updateOfRecording(tables.recordings, recording)]);
      if (outcome !== 'outdated') return outcome;
      const claimed = await commit([claim]);
      return claimed === 'registered' ? 'outdated' : claimed;
    },
  };
}

function claimOfFile(TableName: string, { organizationId, recordingId, location, finishedAt }: Registered): Write {
  const owner = { organizationId, recordingId, claimedAt: finishedAt };
  return {
    Update: {
      TableName,
      Key: recordingFileKey(location),
      UpdateExpression: `SET ${Object.keys(owner)
        .map((name) => `${name} = if_not_exists(${name}, :${name})`)
        .join(', ')}`,
      ConditionExpression: 'attribute_not_exists(organizationId) OR organizationId = :organizationId',
      ExpressionAttributeValues: Object.fromEntries(Object.entries(owner).map(([name, value]) => [`:${name}`, value])),
    },
  };
}

function updateOfRecording(TableName: string, { organizationId, recordingId, ...facts }: Registered): Write {
  const names = Object.keys(facts) as (keyof typeof facts)[];
  return {
    Update: {
      TableName,
      Key: recordingKey(organizationId, recordingId),
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: 'attribute_not_exists(#finishedAt) OR #finishedAt <= :finishedAt',
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, facts[name]])),
    },
  };
}
