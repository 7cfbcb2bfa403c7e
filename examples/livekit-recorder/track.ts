import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AudioStream, type RemoteTrack } from '@livekit/rtc-node';
import type { Destination, Roomscribe, Session } from './roomscribe.ts';
import { sampleRate, WavFile } from './wav-file.ts';

const frameSizeMs = 50;
/** A longer track continues in another file, which keeps each below the 4 GiB of a WAV file and the 5 GB of one upload. */
const longestFileMs = 6 * 3_600_000;

/** What a track of a participant is recorded for, and where to. */
export type Recording = {
  readonly session: Session;
  readonly destination: Destination;
  readonly roomscribe: Roomscribe;
  readonly folder: string;
};

/** A track as the events of Roomscribe report it. */
export type RecordedTrack = {
  readonly participantId: string;
  readonly location: { readonly bucket: string; readonly key: string };
  readonly startDate: string;
  readonly endDate: string;
};

/** What became of one file. */
export type Outcome = { readonly recorded: RecordedTrack } | { readonly error: unknown };

type Microphone = { readonly track: RemoteTrack; readonly trackSid: string; readonly participantId: string };

/** Records a track until it ends. Each of its files is uploaded and reported, and then removed from this machine. Never rejects. */
export async function recordTrack(recording: Recording, microphone: Microphone): Promise<readonly Outcome[]> {
  const finished: Promise<Outcome | undefined>[] = [];
  try {
    for await (const file of filesOf(recording, microphone)) {
      finished.push(finish(recording, file, microphone.participantId).catch((error: unknown) => ({ error })));
    }
  } catch (error) {
    finished.push(Promise.resolve({ error }));
  }
  return (await Promise.all(finished)).filter((outcome) => outcome !== undefined);
}

/** The files of a track, each of them when nothing more is added to it. */
async function* filesOf({ folder, session }: Recording, { track, trackSid }: Microphone): AsyncGenerator<WavFile> {
  const ofRecording = path.join(folder, session.recordingId);
  await mkdir(ofRecording, { recursive: true });
  const create = () => WavFile.create(path.join(ofRecording, `${trackSid}-${Date.now()}.wav`));
  let file = await create();
  for await (const frame of new AudioStream(track, { sampleRate, numChannels: 1, frameSizeMs })) {
    await file.add(frame.data, Date.now());
    if (file.endedAt - (file.startedAt ?? 0) < longestFileMs) continue;
    yield file;
    file = await create();
  }
  yield file;
}

/** Uploads and reports a file. A file that could not be uploaded stays, and the error says where. */
async function finish(
  { session, destination, roomscribe }: Recording,
  file: WavFile,
  participantId: string,
): Promise<Outcome | undefined> {
  const bytes = await file.close();
  if (file.startedAt === undefined) {
    await rm(file.path);
    return undefined;
  }
  try {
    const fileName = path.basename(file.path);
    const key = `${destination.organizationId}/${session.recordingId}/${fileName}`;
    const location = await roomscribe.upload(file.path, key, bytes);
    const dates = { startDate: isoDate(file.startedAt), endDate: isoDate(file.endedAt) };
    const recorded = { participantId, location, ...dates };
    await roomscribe.send(`recorder-${fileName}`, 'recording.track.finished', { ...session, ...recorded });
    await rm(file.path);
    return { recorded };
  } catch (error) {
    throw new Error(`The track was not uploaded. It is in ${file.path}.`, { cause: error });
  }
}

function isoDate(milliseconds: number): string {
  return new Date(Math.round(milliseconds)).toISOString();
}
