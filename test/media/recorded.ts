import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { inject } from 'vitest';
import type { TranscriptDocument } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { Transcription } from '#shared/contracts/transcriptions/transcription.ts';
import type { MediaSpan } from '#shared/domain/media/media-plan.ts';
import { type Coding, type Line, record, type Stretch } from '#tools/local/meeting/record.ts';
import type { Voice } from '#tools/local/meeting/speak.ts';
import { madeFormats, madeMedia } from '../support/media/made-media.ts';
import { createTranscription, ended, linkTo } from '../support/media/recordings.ts';
import type {} from '../support/shared-machine.ts';

/** The start of every recording. */
export const startDate = '2026-03-01T09:00:00.000Z';

/** The seconds of silence with which Flite begins a sentence. */
export const leadIn = 0.2;

/** A time on the clock of a recording, as an event has it. */
export function dateAt(seconds: number): string {
  return new Date(Date.parse(startDate) + seconds * 1000).toISOString();
}

/** Records a stretch. Returns the file. */
export async function recordedMedia(stretch: Stretch, extension: string, coding: Coding): Promise<Buffer> {
  const file = path.join(inject('machine').temporaryFolder, `${randomUUID()}.${extension}`);
  await record(stretch, file, coding, AbortSignal.timeout(120_000));
  return readFile(file);
}

/** The packets of an Ogg file in WebM, without those of a stretch. */
export async function inWebmWithHole(ogg: Uint8Array, { from, to }: MediaSpan): Promise<Uint8Array> {
  const input = new Input({ source: new BufferSource(ogg), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error('The file has no audio.');
  const packets = [];
  for await (const { data, timestamp, duration } of new EncodedPacketSink(track).packets())
    if (timestamp < from || timestamp >= to) packets.push({ data, at: timestamp, seconds: duration });
  return madeMedia(madeFormats.webm(), 'opus', packets);
}

/** A sentence at a time. */
export function line(voice: Voice, at: number, text: string): Line {
  return { voice, at, text };
}

/** Waits for the end of a new transcription of a recording. */
export async function transcribed(
  organizationId: string,
  recordingId: string,
): Promise<{ readonly path: string; readonly transcription: Transcription }> {
  const created = await createTranscription(organizationId, recordingId);
  return { path: created.path, transcription: await ended(organizationId, created.path, 150_000) };
}

/** Downloads the transcript of a transcription as JSON. */
export async function documentOf(organizationId: string, transcriptionPath: string): Promise<TranscriptDocument> {
  const { accessLink } = await linkTo(organizationId, transcriptionPath, 'json');
  return (await fetch(accessLink)).json() as Promise<TranscriptDocument>;
}

/** The text of a transcript, without its speakers. */
export function textOf({ turns }: TranscriptDocument): string {
  return turns.map(({ text }) => text).join(' ');
}
