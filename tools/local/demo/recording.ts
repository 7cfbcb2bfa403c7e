import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { finishRecording } from './platform.ts';
import { type DemoOptions, type DemoTranscript, requestTranscript, withinLimit } from './transcript.ts';

const sample = new URL('../sample/recording.wav', import.meta.url);
/** Constant, so that an interrupted demo resumes the transcription that it started. */
const recordingId = '5a3b1e90-0000-4000-8000-000000000001';
const sampleSeconds = 31;

/** Sends the sample recording as a platform does, and requests its transcript as a client does. */
export function transcribeSample(options: DemoOptions): Promise<DemoTranscript> {
  return withinLimit(options, async (limited) => {
    limited.onProgress('Sending the sample recording');
    await sendRecording(limited);
    limited.onProgress(`Transcribing ${sampleSeconds} seconds of speech`);
    return requestTranscript(limited, recordingId);
  });
}

async function sendRecording(options: DemoOptions): Promise<void> {
  const { endpoints, organizationId } = options;
  const location = { bucket: endpoints.buckets.recordings ?? '', key: `${organizationId}/${recordingId}.wav` };
  const endDate = new Date();
  const data = {
    recordingId,
    roomName: '/sample-room',
    roomSessionId: randomUUID(),
    startDate: new Date(endDate.getTime() - sampleSeconds * 1000).toISOString(),
    endDate: endDate.toISOString(),
    filename: 'recording.wav',
    location,
  };
  await finishRecording(options, { data, files: [{ location, body: await readFile(sample) }] });
}
