import { randomUUID } from 'node:crypto';
import { organization } from '../../../support/machine.ts';
import { noticesOf } from '../../../support/webhooks/stored-notices.ts';
import type { ApiCall } from '../api-call.ts';
import { jobNameOf } from '../functions.ts';
import { type FaultPlan, noFaults } from '../process.ts';
import { outputOf } from '../transcriptions/fake-transcribe.ts';
import type { ApiFunction, World } from '../world.ts';

/** A transcription of a scene. */
export type Subject = { readonly organizationId: string; readonly transcriptionId: string };

/** A situation, what happens then, and all that was told of the transcription afterwards. */
export type ToldScene = {
  readonly make: () => Promise<Subject>;
  readonly act: (subject: Subject, plan?: FaultPlan) => Promise<unknown>;
  readonly told: readonly string[];
};

const hour = 3_600_000;
const speaker = 'Speaker 1';
const jobEnded = 'Transcribe Job State Change';

/** Every transition of a transcription, each with one invocation that makes it. Messages are handed over, not queued, so they can be doubled. */
export function toldScenes(world: World) {
  const events = new Map<string, string>();
  /** The same message for the same subject and name, as a repeated delivery has it. */
  const live = async (subject: Subject, type: string, plan?: FaultPlan, data: object = {}) => {
    const event = { id: randomUUID(), type, organizationId: subject.organizationId, createdAt: '2026-03-01T09:20:00Z' };
    const { transcriptionId } = subject;
    const session = { roomName: '/standup', roomSessionId: '5e551011-0000-4000-8000-000000000009' };
    const body = { ...event, data: { transcriptionId, ...session, startDate: '2026-03-01T09:00:00Z', ...data } };
    const name = `${subject.organizationId} ${type}`;
    events.set(name, events.get(name) ?? JSON.stringify(body));
    return world.work('roomEvents', [String(events.get(name))], plan);
  };
  const started = (subject: Subject, plan?: FaultPlan) => live(subject, 'transcription.started', plan);
  const finished = (subject: Subject, plan?: FaultPlan) => live(subject, 'transcription.finished', plan);
  const failed = (subject: Subject, plan?: FaultPlan) =>
    live(subject, 'transcription.failed', plan, { error: 'broken' });
  const isNew = async (): Promise<Subject> => ({ organizationId: organization(), transcriptionId: randomUUID() });

  const reconcileAfter = async (hours: number, plan: FaultPlan = noFaults) => {
    world.clock = new Date(world.clock.getTime() + hours * hour);
    return world.reconcile(plan);
  };
  const call = (name: ApiFunction, facts: Partial<ApiCall> = {}) => {
    return (subject: Subject, plan?: FaultPlan) => world.api(name, { ...subject, ...facts }, plan);
  };

  const created = async (upload = true): Promise<Subject> => {
    const recording = await world.recording(organization(), { upload });
    return { organizationId: recording.organizationId, transcriptionId: await world.create(recording) };
  };
  const start = (subject: Subject, plan?: FaultPlan) =>
    world.work('transcriptionJobs', [JSON.stringify({ ...subject, attempt: 0 })], plan);
  const running = async () => {
    const subject = await created();
    await start(subject);
    return subject;
  };
  const ended = new Map<string, string>();
  const end = (result: Parameters<typeof world.transcribe.end>[1]) => async (subject: Subject, plan?: FaultPlan) => {
    const name = jobNameOf(subject);
    const detail = ended.has(name) ? undefined : await world.transcribe.end(name, result);
    if (detail) ended.set(name, JSON.stringify({ 'detail-type': jobEnded, detail }));
    return world.work('transcriptionResults', [String(ended.get(name))], plan);
  };
  const complete = end({ output: outputOf('good morning') });
  const ready = async () => {
    const subject = await running();
    await complete(subject);
    return subject;
  };
  const name = (displayName: string) => call('correctSpeaker', { speaker, body: { displayName } });
  const undo = call('undoSpeakerCorrection', { speaker });
  const after = (make: () => Promise<Subject>, ...acts: readonly ToldScene['act'][]) => {
    return async () => {
      const subject = await make();
      for (const act of acts) await act(subject);
      return subject;
    };
  };
  const begun = ['transcription.started 1'];
  const whole = [...begun, 'transcription.finished 2'];
  const changed = [...whole, 'transcription.speakers.changed 3'];
  const givenUp = [...begun, 'transcription.failed 2'];
  const giveUp = async (_: Subject, plan?: FaultPlan) => reconcileAfter(49, plan);

  const scenes = {
    'a job that is started': { make: created, act: start, told: begun },
    'a transcript that is ready': { make: running, act: complete, told: whole },
    'a job that failed': { make: running, act: end({ failureReason: 'Internal' }), told: givenUp },
    'a recording that is missing': { make: () => created(false), act: start, told: givenUp },
    'a job that never ends': { make: running, act: (_, plan) => reconcileAfter(25, plan), told: givenUp },
    'a live start': { make: isNew, act: started, told: begun },
    'a live end after its start': { make: after(isNew, started), act: finished, told: whole },
    'a live failure after its start': { make: after(isNew, started), act: failed, told: givenUp },
    'a live end without a start': { make: isNew, act: finished, told: ['transcription.finished 1'] },
    'a live failure without a start': { make: isNew, act: failed, told: ['transcription.failed 1'] },
    'a live start after its end': { make: after(isNew, finished), act: started, told: ['transcription.finished 1'] },
    'a live transcription that is given up': { make: after(isNew, started), act: giveUp, told: givenUp },
    'a live end after it was given up': {
      make: after(isNew, started, giveUp),
      act: finished,
      told: [...givenUp, 'transcription.finished 3'],
    },
    'a live failure after it was given up': {
      make: after(isNew, started, giveUp),
      act: failed,
      told: [...givenUp, 'transcription.failed 3'],
    },
    'a deletion while it is in progress': {
      make: running,
      act: call('deleteTranscription'),
      told: [...begun, 'transcription.deleted 2'],
    },
    'a deletion': { make: ready, act: call('deleteTranscription'), told: [...whole, 'transcription.deleted 3'] },
    'a bulk deletion': {
      make: ready,
      act: ({ organizationId, transcriptionId }, plan) =>
        world.work('bulkDelete', [JSON.stringify({ organizationId, transcriptionIds: [transcriptionId] })], plan),
      told: [...whole, 'transcription.deleted 3'],
    },
    'a correction': { make: ready, act: name('Ada'), told: changed },
    'an undone correction': {
      make: after(ready, name('Ada')),
      act: undo,
      told: [...changed, 'transcription.speakers.changed 4'],
    },
    'an undone correction of a speaker who was not corrected': { make: ready, act: undo, told: whole },
    'a deletion after a correction': {
      make: after(ready, name('Ada')),
      act: call('deleteTranscription'),
      told: [...changed, 'transcription.deleted 4'],
    },
  } satisfies Record<string, ToldScene>;
  return { scenes, created, running, ready, start, name, giveUp };
}

/** The types and revisions of what was told of a transcription. */
export async function toldOf(world: World, { organizationId, transcriptionId }: Subject): Promise<string[]> {
  const notices = await noticesOf(world.resources.tables.notices, organizationId);
  const own = notices.filter(({ data }) => 'transcriptionId' in data && data.transcriptionId === transcriptionId);
  return own.map(({ type, data }) => `${type} ${data.revision}`);
}
