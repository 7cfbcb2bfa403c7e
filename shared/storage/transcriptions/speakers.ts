import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Speaker } from '../../contracts/speaker.ts';
import { namesParticipant } from '../../domain/transcript-speakers.ts';
import type { WorkOwner } from '../../domain/work.ts';
import type { Pause } from '../../retry.ts';
import type { SpeakerStore, TranscriptFileStore } from '../../use-cases/ports.ts';
import { pastConflicts } from '../past-conflicts.ts';
import { unlessRefused } from '../unless-refused.ts';
import { transcriptionKey } from './keys.ts';

const Row = z.object({
  languageCode: z.nullable(z.string()),
  languages: z.optional(z.array(z.string())),
  speakers: z.array(Speaker),
  corrections: z.record(z.string(), z.object({ participantId: z.nullable(z.string()), displayName: z.string() })),
  revision: z.int(),
});

/** Implements `SpeakerStore` with DynamoDB. */
export function speakerRepository(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  TableName: string,
  { pause }: { readonly pause?: Pause | undefined } = {},
): SpeakerStore {
  return {
    async find(key) {
      const get = new GetCommand({
        TableName,
        Key: transcriptionKey(key.organizationId, key.transcriptionId),
        ConsistentRead: true,
      });
      const { Item } = await documents.send(get);
      return Item && Row.parse(Item);
    },

    async begin(key, speakers) {
      const put = new PutCommand({
        TableName,
        Item: {
          ...transcriptionKey(key.organizationId, key.transcriptionId),
          ...speakers,
          corrections: {},
          revision: 0,
        },
        ConditionExpression: 'attribute_not_exists(revision) OR revision = :first',
        ExpressionAttributeValues: { ':first': 0 },
      });
      await unlessRefused(() => pastConflicts(() => documents.send(put), pause));
    },

    async remove(key) {
      const removal = new DeleteCommand({
        TableName,
        Key: transcriptionKey(key.organizationId, key.transcriptionId),
        ReturnValues: 'ALL_OLD',
      });
      const { Attributes } = await pastConflicts(() => documents.send(removal), pause);
      return !Attributes || namesParticipant(Row.parse(Attributes));
    },
  };
}

/**
 * The files of transcripts, whose removal removes the row of the speakers first. So who writes files and finds the row afterwards
 * has written them before the removal, and who does not find it removes what it has written.
 */
export function withSpeakers<Files extends Pick<TranscriptFileStore, 'removeGenerated'>>(
  files: Files,
  speakers: Pick<SpeakerStore, 'remove'>,
): Files {
  return {
    ...files,
    async removeGenerated(owner: WorkOwner) {
      await speakers.remove(owner);
      await files.removeGenerated(owner);
    },
  };
}
