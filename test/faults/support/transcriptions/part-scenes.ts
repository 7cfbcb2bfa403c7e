import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import type { TranscriptionPart } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { planKey } from '#shared/domain/transcriptions/transcript-location.ts';
import { isGone } from '#shared/domain/transcriptions/transcription.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { dynamodb } from '../../../support/machine.ts';
import { organizationId as parsed } from '../../../support/operations/records.ts';
import { plannedSource, transcriptionPart, workPlan } from '../../../support/transcriptions/works.ts';
import { jobNameOf, partsAtOnce } from '../functions.ts';
import { failing, serviceError } from '../process.ts';
import type { World } from '../world.ts';
import { outputOf } from './fake-transcribe.ts';

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });

/** What a test says about each part. */
type Facts = Partial<Pick<TranscriptionPart, 'state' | 'file' | 'failureCode'>>;

/** Three waiting parts: one more than run at once. */
export const threeParts: readonly Facts[] = [{}, {}, {}];

/** Makes transcriptions whose parts are prepared, as prepare-media leaves them, and looks at their parts. */
export function partScenes(world: World) {
  const { tables, buckets, s3 } = world.resources;
  const works = workRepository(documents, tables.transcriptionParts);
  const transcriptions = transcriptionRepository(documents, tables, { now: () => world.clock });

  /** Stores the parts of the work unless they are stored, makes its owner prepared, and sends the starts of the first parts. */
  async function prepare(
    recording: { readonly organizationId: string },
    transcriptionId: string,
    { workId = transcriptionId, parts = threeParts, send = true } = {},
  ): Promise<void> {
    const organizationId = parsed(recording.organizationId);
    const key = { organizationId, workId };
    const plan = workPlan(...parts.map((_, index) => plannedSource({ participantId: `participant-${index + 1}` })));
    const Key = planKey(key, 'hash');
    await s3.send(new PutObjectCommand({ Bucket: buckets.transcripts, Key, Body: JSON.stringify(plan) }));
    await works.begin({ ...key, planKey: Key, partCount: parts.length });
    for (const [index, facts] of parts.entries()) {
      const participantId = `participant-${index + 1}`;
      await works.addPart(transcriptionPart({ ...key, part: index + 1, participantId, state: 'waiting', ...facts }));
    }
    const record = await transcriptions.find(organizationId, transcriptionId);
    if (isGone(record)) throw new Error('A deleted transcription cannot be prepared.');
    const facts = { partCount: parts.length, recordedSeconds: 600, submittedSeconds: 600 };
    await transcriptions.markPrepared(record, { ...facts, dueAt: deadlines.jobStart(world.clock) });
    if (!send) return;
    for (let part = 1; part <= Math.min(partsAtOnce, parts.length); part++)
      await world.queues.send('transcriptionJobs', { organizationId, transcriptionId, part, attempt: 0 });
  }

  /** Creates a transcription without its message, which start-transcription and prepare-media have handled. */
  const create = (recording: Awaited<ReturnType<typeof world.recording>>) =>
    world.create(recording, failing('SendMessageBatchCommand', serviceError('ServiceUnavailable', 503), 'before', 99));

  /** A transcription with prepared parts. */
  async function prepared(parts: readonly Facts[] = threeParts, { send = true } = {}) {
    const recording = await world.recording();
    const transcriptionId = await create(recording);
    await prepare(recording, transcriptionId, { parts, send });
    return { ...recording, transcriptionId };
  }

  /** Makes a transcription ready as a merge does that dies before it removes the work. */
  async function makeReady({ organizationId, transcriptionId }: Parameters<typeof jobOf>[0]): Promise<void> {
    const record = await transcriptions.find(parsed(organizationId), transcriptionId);
    if (isGone(record)) throw new Error('A deleted transcription cannot be ready.');
    const seconds = Math.ceil(record.submittedSeconds ?? 0);
    await transcriptions.markReady(record, { filename: 'a.md', durationInSeconds: 600 }, seconds);
  }

  /** The name of the job of a part. */
  const jobOf = (work: { readonly organizationId: string; readonly transcriptionId: string }, part: number) =>
    `${jobNameOf(work)}.${part}`;

  /** Ends the job of a part after some seconds, with one word in its output. Its event waits in the queue, unless it is lost. */
  const endJob = (work: Parameters<typeof jobOf>[0], part: number, options?: { readonly loseEvent: boolean }) =>
    world.endJob(jobOf(work, part), { output: outputOf(`word${part}`) }, options);

  /** The message that starts a part. */
  const startOf = ({ organizationId, transcriptionId }: Parameters<typeof jobOf>[0], part = 1) =>
    JSON.stringify({ organizationId, transcriptionId, part, attempt: 0 });

  /** The states of the parts of a work, and how many have ended by the count in its head. */
  async function statesOf(work: { readonly organizationId: string; readonly transcriptionId: string }) {
    const key = { organizationId: parsed(work.organizationId), workId: work.transcriptionId };
    const [head, parts] = [await works.find(key), await works.listParts(key)];
    return { ended: head?.endedParts, states: parts.map(({ state }) => state) };
  }

  return { create, prepare, prepared, jobOf, endJob, makeReady, startOf, statesOf };
}
