import { PutObjectCommand } from '@aws-sdk/client-s3';
import { RoomEvent } from '#shared/contracts/events.ts';
import type { QueueName } from '#shared/runtime/names.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { silentAmr } from '../../../support/media/amr.ts';
import { type FaultPlan, noFaults } from '../../support/process.ts';
import { type EventDraft, eventOf } from '../../support/random-history.ts';
import { addTo, appendTo } from '../knowledge.ts';
import { liveIds, recordingIds, type Scene, trackRecordingIds } from '../scene.ts';

/** The events of a live transcription. */
export const liveTypes = ['started', 'finished', 'finished', 'failed'] as const;
/** The session of which samples, recordings and live transcriptions are. */
export const sampledSession = 'dddddddd-0000-4000-8000-000000000000';

/** Hands events to their worker in one batch, or puts them into its queue. What the worker does not complete comes again. */
export async function bring(
  { world }: Scene,
  queue: QueueName,
  events: readonly object[],
  isQueued: boolean,
  plan: FaultPlan = noFaults,
): Promise<void> {
  const isDone =
    !isQueued &&
    (await world.work(
      queue,
      events.map((event) => JSON.stringify(event)),
      plan,
    )) === 0;
  if (!isDone) for (const event of events) await world.queues.send(queue, event);
}

/** An event that holds the name of its organization, so that a mix-up is detected. */
export function sessionEvent(
  { drafts }: Scene,
  organizationId: string,
  draft: EventDraft,
  index: number,
): PlatformEvent {
  const event = eventOf(organizationId)(draft, index, drafts);
  if (event.type === 'room.client.joined')
    return { ...event, data: { ...event.data, displayName: `${event.data.displayName} of ${organizationId}` } };
  if (event.type === 'room.client.rated' && event.data.comment)
    return { ...event, data: { ...event.data, comment: `${event.data.comment} of ${organizationId}` } };
  return event;
}

export type RecordingData = {
  readonly recording: number;
  readonly second: number;
  readonly room: string;
  readonly hasFile: boolean;
  /** Every organization names the same file. The first one owns it. */
  readonly isShared: boolean;
};

/** The event of a recording, whose file is uploaded unless it has none. */
export async function recordingEvent(scene: Scene, organizationId: string, data: RecordingData): Promise<object> {
  const { world, knowledge } = scene;
  const recordingId = recordingIds[data.recording] ?? recordingIds[0];
  const Bucket = world.resources.buckets.recordings;
  const folder = data.isShared ? scene.sharedFolder : organizationId;
  const Key = `${folder}/${recordingId}/${data.second}.amr`;
  if (data.hasFile) await world.resources.s3.send(new PutObjectCommand({ Bucket, Key, Body: silentAmr(60) }));
  else addTo(knowledge.withoutFile, organizationId, recordingId);
  const createdAt = secondsAfterStart(data.second);
  appendTo(knowledge.recordings, `${organizationId} ${recordingId}`, {
    finishedAt: createdAt,
    key: Key,
    roomName: data.room,
  });
  return {
    id: `recording-${data.second}`,
    type: 'recording.finished',
    organizationId,
    createdAt,
    data: {
      recordingId,
      roomName: data.room,
      roomSessionId: sampledSession,
      startDate: secondsAfterStart(0),
      endDate: secondsAfterStart(60),
      filename: `${organizationId}.wav`,
      location: { bucket: Bucket, key: Key },
    },
  };
}

export type TrackData = {
  readonly recording: number;
  readonly second: number;
  readonly participants: readonly string[];
  readonly file: number;
  /** One event reports the track of the first participant. Otherwise the event that finishes the recording reports all of them. */
  readonly isAlone: boolean;
};

/** An event that reports tracks of a recording. Its id says what it contains, so that two different events have two ids. */
export function trackEvent(scene: Scene, organizationId: string, data: TrackData): object {
  const { second, file, isAlone } = data;
  const recordingId = trackRecordingIds[data.recording] ?? trackRecordingIds[0];
  const participants = isAlone ? data.participants.slice(0, 1) : data.participants;
  const id = ['tracks', isAlone ? 'alone' : 'all', ...participants, file].join('-');
  const createdAt = secondsAfterStart(second);
  const tracks = participants.map((participantId) => ({
    participantId,
    startDate: secondsAfterStart(0),
    endDate: secondsAfterStart(60),
    location: {
      bucket: scene.world.resources.buckets.recordings,
      key: `${organizationId}/${recordingId}/${participantId}-${file}.ogg`,
    },
  }));
  for (const { participantId, location } of tracks)
    appendTo(scene.knowledge.tracks, `${organizationId} ${recordingId}`, {
      ...{ participantId, reportedAt: createdAt, reportedBy: id, key: location.key },
    });
  const room = { roomName: '/standup', roomSessionId: sampledSession };
  const dates = { startDate: secondsAfterStart(0), endDate: secondsAfterStart(60) };
  const content = isAlone ? tracks[0] : { ...dates, tracks };
  const type = isAlone ? 'recording.track.finished' : 'recording.finished';
  return { id, type, organizationId, createdAt, data: { recordingId, ...room, ...content } };
}

export type LiveData = {
  readonly owner: number;
  readonly transcription: number;
  readonly type: (typeof liveTypes)[number];
  readonly file: string;
  readonly second: number;
};

/** An event of a live transcription, whose file is uploaded if it is its own. */
export async function liveEvent(scene: Scene, { owner, transcription, type, file, second }: LiveData): Promise<object> {
  const { world, knowledge } = scene;
  const organizationId = scene.organization(owner);
  const transcriptionId = liveIds[transcription] ?? liveIds[0];
  const Bucket = world.resources.buckets.transcripts;
  const fileOwner =
    file === 'foreign' ? String(scene.organizations.find((other) => other !== organizationId)) : organizationId;
  const location = { bucket: Bucket, key: `live/${fileOwner}/${transcriptionId}/${second}.md` };
  const hasFile = type !== 'started' && file !== 'none';
  if (hasFile && file === 'own')
    await world.resources.s3.send(
      new PutObjectCommand({ Bucket, Key: location.key, Body: `words of ${organizationId}` }),
    );
  const event = {
    id: `live-${second}-${type}`,
    type: `transcription.${type}`,
    organizationId,
    createdAt: secondsAfterStart(second),
    data: {
      transcriptionId,
      roomName: '/live',
      roomSessionId: sampledSession,
      startDate: secondsAfterStart(0),
      ...(hasFile && { location }),
      ...(type === 'failed' && { error: 'The captions engine died.' }),
    },
  };
  if (hasFile && file === 'foreign') knowledge.refused = [...knowledge.refused, event];
  else appendTo(knowledge.live, `${organizationId} ${transcriptionId}`, RoomEvent.parse(event) as never);
  return event;
}

function secondsAfterStart(second: number): string {
  return new Date(Date.parse('2026-03-01T09:00:00.000Z') + second * 1000).toISOString();
}
