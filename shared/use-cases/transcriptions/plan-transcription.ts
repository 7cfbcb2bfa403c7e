import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { participantsWithoutVoice } from '#shared/domain/insights/session/session-people.ts';
import {
  checked,
  type InspectedFile,
  type PieceSeconds,
  planWork,
  refusalOfFiles,
  type SourceFile,
} from '#shared/domain/transcriptions/parts/plan-work.ts';
import { channelsNeeded } from '#shared/domain/transcriptions/parts/speakers-of-channels.ts';
import type { Work } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { workKeyOf } from '#shared/domain/transcriptions/parts/work.ts';
import type { WorkPlan } from '#shared/domain/transcriptions/parts/work-plan.ts';
import { isLastAttempt } from '#shared/domain/transcriptions/parts/work-turn.ts';
import type { RecordingTrack } from '#shared/domain/transcriptions/recording.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import type { SessionPeopleReader } from '../insights/ports.ts';
import type { MediaInspector } from '../media/ports.ts';
import type { RecordingTracks, WorkStore } from './parts/ports.ts';
import type { BegunTurn } from './parts/preparation-turn.ts';
import { readPlan, writePlan } from './parts/work-plan-file.ts';
import type { TranscriptFileStore } from './ports.ts';

/** Inspecting a file takes up to 256 MB, if its tables are as large as they may be. */
const inspectionsAtOnce = 4;
/** After this time of a turn, no more files are inspected. A thousand files of recorders take a minute or two. */
const inspectionsEndAfterMs = 10 * 60_000;

/** What planning needs. */
export type PlanDependencies = {
  readonly works: Pick<WorkStore, 'find' | 'begin'>;
  readonly files: Pick<TranscriptFileStore, 'read' | 'write'>;
  readonly tracks: RecordingTracks;
  readonly people: SessionPeopleReader;
  readonly inspector: MediaInspector;
  readonly pieces: PieceSeconds;
  readonly now?: () => Date;
};

/**
 * Returns the plan of a transcription's work: the one that its head names, so that every run makes the same parts, or a new one, from
 * the files as they are now. A recording that is refused as a whole has no head.
 */
export async function planTranscription(
  deps: PlanDependencies,
  record: TranscriptionRecord,
  turn: Pick<BegunTurn, 'attempts' | 'startedAt'>,
): Promise<WorkPlan | { readonly refused: FailureCode }> {
  const { works, files } = deps;
  const limits = { ...deps.pieces, channels: channelsNeeded(record.options) };
  const key = workKeyOf(record);
  const head = await works.find(key);
  if (head) return planOf(deps, head);
  if (isLastAttempt(turn)) return { refused: 'media_unreadable' }; // looking at the files has killed the runs before
  const sources = await sourcesOf(deps, record);
  if ('refused' in sources) return sources;
  const refused = sources.length === 0 ? 'recording_missing' : refusalOfFiles(sources);
  if (refused) return { refused };
  const plan = planWork(record.startDate, await readableOf(deps, record, sources, turn), limits);
  if ('refused' in plan) return plan;
  const planKey = await writePlan(files, key, plan);
  const begun = await works.begin({ ...key, planKey, partCount: plan.partCount });
  return begun.planKey === planKey ? plan : planOf(deps, begun); // another run was faster
}

async function planOf({ files }: PlanDependencies, { planKey }: Work) {
  return (await readPlan(files, planKey)) ?? ({ refused: 'engine_error' } as const);
}

/**
 * The tracks of those who may speak if the transcription is made from tracks, or else its mixed file. If all tracks are of recorders, agents
 * and other devices, the mixed file takes their place. Without one, no person speaks.
 */
async function sourcesOf(
  deps: PlanDependencies,
  record: TranscriptionRecord,
): Promise<SourceFile[] | { readonly refused: FailureCode }> {
  const { organizationId, recordingId, trackRevision } = record;
  const mixed = mixedFileOf(record);
  if (trackRevision === undefined || recordingId === undefined) return mixed;
  const all = await deps.tracks.listTracks(organizationId, recordingId);
  if (all.length === 0) return [];
  const tracks = await ofSpeakers(deps, record, all);
  if (tracks.length === 0) return mixed.length > 0 ? mixed : { refused: 'no_speech' };
  return tracks.map(({ source, ...track }) => ({ ...track, isScreen: source === 'screen' }));
}

/** The tracks without those of participants who are known to be no people. Who joins later, or is not known, may be a person. */
async function ofSpeakers(
  { people }: PlanDependencies,
  { organizationId, roomSessionId, roomName, startDate }: TranscriptionRecord,
  tracks: readonly RecordingTrack[],
): Promise<RecordingTrack[]> {
  const known = await people.peopleOf({ organizationId, roomSessionId, roomName }, startDate);
  const withoutVoice = participantsWithoutVoice(known);
  return tracks.filter(({ participantId }) => !withoutVoice.has(participantId));
}

function mixedFileOf({ location, startDate, endDate }: TranscriptionRecord): SourceFile[] {
  const dates = { startDate, endDate: endDate ?? undefined };
  return location ? [{ participantId: null, isScreen: false, location, ...dates }] : [];
}

/** Inspects the files. If no track can be transcribed, the mixed file takes their place. */
async function readableOf(
  deps: PlanDependencies,
  record: TranscriptionRecord,
  sources: readonly SourceFile[],
  turn: Pick<BegunTurn, 'startedAt'>,
): Promise<InspectedFile[]> {
  const files = await inspectAll(deps, sources, turn);
  const mixed = record.trackRevision === undefined ? [] : mixedFileOf(record);
  const isLost = files.every((file) => 'refused' in checked(file, deps.pieces).inspected);
  return isLost && mixed.length > 0 ? inspectAll(deps, mixed, turn) : files;
}

/** Inspects the files. One is refused if inspecting it takes more reads or time than a file of a recorder does, or if others took all the time. */
async function inspectAll(
  { inspector, now = () => new Date() }: PlanDependencies,
  sources: readonly SourceFile[],
  { startedAt }: Pick<BegunTurn, 'startedAt'>,
): Promise<InspectedFile[]> {
  const files: InspectedFile[] = [];
  for (const some of chunk(sources, inspectionsAtOnce)) {
    // The first ones are inspected in any case: a mixed file that takes the place of tracks is one of them.
    const isTimeUp = files.length > 0 && now().getTime() - startedAt >= inspectionsEndAfterMs;
    const inspected = await Promise.all(
      some.map(async (source) => {
        const found = isTimeUp ? 'unfinished' : await inspector.inspect(source.location);
        return { ...source, inspected: found === 'unfinished' ? ({ refused: 'media_unreadable' } as const) : found };
      }),
    );
    files.push(...inspected);
  }
  return files;
}
