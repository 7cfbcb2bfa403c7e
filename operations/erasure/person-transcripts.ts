import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { MissingSpan } from '#shared/contracts/transcriptions/transcription.ts';
import { labelsOf, type RemovedPerson } from '#shared/domain/speakers/without-speakers.ts';
import type { TranscriptionKey } from '#shared/domain/transcriptions/transcription.ts';
import { pastConflicts } from '#shared/storage/common/past-conflicts.ts';
import { speakerChanges } from '#shared/storage/transcriptions/speakers/speaker-changes.ts';
import { speakerRepository, withSpeakers } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import { forgetSpeakers } from '#shared/use-cases/transcriptions/speakers/forget-speakers.ts';
import type { Deployment } from './deployment.ts';
import type { Terminal } from './erase-organization.ts';
import type { Person, TranscriptionOfSession } from './find-person.ts';
import { eraseKeys } from './objects.ts';
import { ownNames } from './person-names.ts';
import type { Removal } from './removal.ts';

const speakersLabel = 'speakers of transcripts';
const turnsLabel = 'turns of transcripts';
const missingLabel = 'changed rows of transcriptions';

type Found = {
  readonly person: Person;
  /** Who the person was in which session. A track of an unknown session has none. */
  readonly participations: readonly { readonly session?: string | undefined; readonly participantId: string }[];
  readonly transcriptions: readonly TranscriptionOfSession[];
};

/**
 * Removes from these transcripts what is known to be the person's: their turns and names from every file, and the row of the speakers. What a
 * transcript lacks no longer names them. It prints what it finds in each transcript, and returns how many speakers, turns and rows.
 */
export async function removeFromTranscripts(
  deployment: Deployment,
  organizationId: OrganizationId,
  { person, participations, transcriptions }: Found,
  removal: Removal,
  terminal: Terminal,
): Promise<Map<string, number>> {
  const { documents, s3, tables, buckets } = deployment;
  const speakers = speakerRepository(documents, tables);
  const changes = speakerChanges(documents, tables);
  const stored = untoldTranscriptions(documents, tables.transcriptions);
  const files = withSpeakers(transcriptFiles(s3, buckets.transcripts), speakers);
  const removeFiles = (keys: readonly string[]) => eraseKeys(s3, buckets.transcripts, keys);
  const counts = { [speakersLabel]: 0, [turnsLabel]: 0, [missingLabel]: 0 };
  let seen = 0;
  for (const [session, ofSession] of Map.groupBy(transcriptions, (each) => each.session)) {
    const ids = participations.filter((each) => each.session === session).map(({ participantId }) => participantId);
    const participantIds = new Set(ids.concat(person.participantId ?? []));
    const names = await ownNames(deployment, organizationId, session, participantIds);
    for (const { transcriptionId } of ofSession) {
      const key = { organizationId, transcriptionId };
      const row = await speakers.find(key);
      const labels = row ? labelsOf(row, { participantIds, names }) : new Set();
      const turns = row?.speakers.reduce((sum, { speaker, turns }) => sum + (labels.has(speaker) ? turns : 0), 0) ?? 0;
      const missing = await missingOf(deployment, key, participantIds);
      const channels = await channelsOf(deployment, key, participantIds);
      await removal.change(async () => {
        const removed: RemovedPerson = { participantIds, names };
        await forgetSpeakers(
          { speakers, changes, transcriptions: stored, files, removeFiles },
          key,
          removed,
          missing !== undefined,
        );
        if (missing) await replaceMissing(deployment, key, missing);
        if (channels) await replaceChannels(deployment, key, channels);
      });
      counts[speakersLabel] += labels.size;
      counts[turnsLabel] += turns;
      counts[missingLabel] += missing || channels ? 1 : 0;
      if (labels.size > 0)
        terminal.print(`Transcript ${transcriptionId}: ${turns} turns of ${labels.size} speakers who are the person`);
      terminal.show(`${removal.verb} the person in transcripts`, ++seen, transcriptions.length);
    }
  }
  return new Map(Object.entries(counts));
}

/** What a transcript lacks, without the person. Undefined if they were not in it. */
async function missingOf(
  { documents, tables }: Deployment,
  { organizationId, transcriptionId }: TranscriptionKey,
  participantIds: ReadonlySet<string>,
): Promise<MissingSpan[] | undefined> {
  const transcriptions = untoldTranscriptions(documents, tables.transcriptions);
  const stored = await transcriptions.find(organizationId, transcriptionId);
  const missing = stored && 'missing' in stored ? stored.missing : undefined;
  const isHers = ({ participantId }: MissingSpan) => participantIds.has(participantId ?? '');
  return missing?.some(isHers)
    ? missing.map((span) => (isHers(span) ? { ...span, participantId: null } : span))
    : undefined;
}

async function replaceMissing(
  { documents, tables }: Deployment,
  key: TranscriptionKey,
  missing: readonly MissingSpan[],
): Promise<void> {
  const update = new UpdateCommand({
    TableName: tables.transcriptions,
    Key: key,
    UpdateExpression: 'SET #missing = :missing',
    ConditionExpression: 'attribute_exists(#missing)',
    ExpressionAttributeNames: { '#missing': 'missing' }, // a reserved word
    ExpressionAttributeValues: { ':missing': missing },
  });
  await pastConflicts(() => documents.send(update));
}

/** Who is on the channels of a transcription, with a random id instead of the person. Undefined if they are on none. */
async function channelsOf(
  { documents, tables }: Deployment,
  { organizationId, transcriptionId }: TranscriptionKey,
  participantIds: ReadonlySet<string>,
): Promise<string[] | undefined> {
  const transcriptions = untoldTranscriptions(documents, tables.transcriptions);
  const stored = await transcriptions.find(organizationId, transcriptionId);
  const channels = stored && 'options' in stored ? stored.options?.channels : undefined;
  return channels?.some((id) => participantIds.has(id))
    ? channels.map((id) => (participantIds.has(id) ? randomUUID() : id))
    : undefined;
}

async function replaceChannels(
  { documents, tables }: Deployment,
  key: TranscriptionKey,
  channels: readonly string[],
): Promise<void> {
  const update = new UpdateCommand({
    TableName: tables.transcriptions,
    Key: key,
    UpdateExpression: 'SET #options.#channels = :channels',
    ConditionExpression: 'attribute_exists(#options.#channels)',
    ExpressionAttributeNames: { '#options': 'options', '#channels': 'channels' },
    ExpressionAttributeValues: { ':channels': channels },
  });
  await pastConflicts(() => documents.send(update));
}
