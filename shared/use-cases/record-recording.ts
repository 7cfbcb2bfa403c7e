import type { RoomEvent } from '../contracts/events.ts';
import type { RecordingStore } from './ports.ts';

type RecordingFinished = Extract<RoomEvent, { type: 'recording.finished' }>;

/** Records that a recording is finished, so that it can be transcribed. */
export async function recordRecording(
  { recordings }: { readonly recordings: Pick<RecordingStore, 'register'> },
  { organizationId, createdAt: finishedAt, data }: RecordingFinished,
): Promise<void> {
  await recordings.register({ organizationId, ...data, finishedAt });
}
