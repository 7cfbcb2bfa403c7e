import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Speaker } from '#shared/contracts/transcript/speaker.ts';
import { namesParticipant, type TranscriptSpeakers } from '#shared/domain/speakers/transcript-speakers.ts';
import type { WorkOwner } from '#shared/domain/transcriptions/parts/work.ts';
import type { TranscriptionKey } from '#shared/domain/transcriptions/transcription.ts';
import type { Pause } from '#shared/runtime/retry.ts';
import { pastConflicts } from '#shared/storage/common/past-conflicts.ts';
import { unlessRefused } from '#shared/storage/common/unless-refused.ts';
import type { TranscriptFileStore } from '#shared/use-cases/transcriptions/ports.ts';
import type { SpeakerStore } from '#shared/use-cases/transcriptions/speakers/ports.ts';
import { speakersKey, transcriptionKey } from '../keys.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;

/** The table whose rows of speakers are beside their transcriptions, and the one that has those from before. */
export type SpeakerTables = { readonly transcriptions: string; readonly transcriptSpeakers: string };

const Row = z.object({
  languageCode: z.nullable(z.string()),
  languages: z.optional(z.array(z.string())),
  speakers: z.array(Speaker),
  corrections: z.record(z.string(), z.object({ participantId: z.nullable(z.string()), displayName: z.string() })),
  revision: z.int(),
});

/** Reads who speaks from an item. */
export function toSpeakers(item: Readonly<Record<string, unknown>>): TranscriptSpeakers {
  return Row.parse(item);
}

/** Where the row of speakers is: beside its transcription or, from before, in a table of its own. */
export function placeOfSpeakers(
  tables: SpeakerTables,
  { organizationId, transcriptionId }: TranscriptionKey,
  { isApart }: Pick<TranscriptSpeakers, 'isApart'>,
) {
  return isApart
    ? { TableName: tables.transcriptSpeakers, Key: transcriptionKey(organizationId, transcriptionId) }
    : { TableName: tables.transcriptions, Key: speakersKey(organizationId, transcriptionId) };
}

/** Reads a row of speakers that is in a table of its own, because it is from before. */
export async function findApart(
  documents: Documents,
  tables: SpeakerTables,
  key: TranscriptionKey,
): Promise<TranscriptSpeakers | undefined> {
  const place = placeOfSpeakers(tables, key, { isApart: true });
  const { Item } = await documents.send(new GetCommand({ ...place, ConsistentRead: true }));
  return Item && { ...toSpeakers(Item), isApart: true };
}

/** Implements `SpeakerStore` with DynamoDB. New rows are beside their transcriptions, and in none of the indexes. */
export function speakerRepository(
  documents: Documents,
  tables: SpeakerTables,
  { pause }: { readonly pause?: Pause | undefined } = {},
): SpeakerStore {
  const removeFrom = async (key: TranscriptionKey, place: Pick<TranscriptSpeakers, 'isApart'>) => {
    const removal = new DeleteCommand({ ...placeOfSpeakers(tables, key, place), ReturnValues: 'ALL_OLD' });
    const { Attributes } = await pastConflicts(() => documents.send(removal), pause);
    return Attributes && toSpeakers(Attributes);
  };

  return {
    async find(key) {
      const { Item } = await documents.send(
        new GetCommand({ ...placeOfSpeakers(tables, key, {}), ConsistentRead: true }),
      );
      return Item ? toSpeakers(Item) : findApart(documents, tables, key);
    },

    async begin(key, speakers) {
      const { TableName, Key } = placeOfSpeakers(tables, key, {});
      const put = new PutCommand({
        TableName,
        Item: { ...Key, ...speakers, corrections: {}, revision: 0 },
        ConditionExpression: 'attribute_not_exists(revision) OR revision = :first',
        ExpressionAttributeValues: { ':first': 0 },
      });
      await unlessRefused(() => pastConflicts(() => documents.send(put), pause));
    },

    async remove(key) {
      const removed = (await removeFrom(key, {})) ?? (await removeFrom(key, { isApart: true }));
      return !removed || namesParticipant(removed);
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
