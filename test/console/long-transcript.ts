import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { TranscriptDocument, Turn } from '#shared/contracts/transcript-document.ts';
import { demoOrganization } from '#tools/shared/token.ts';
import { endpoints, s3 } from '../support/machine.ts';
import { transcriptKeysWith } from '../support/storage.ts';

/** The turns of a transcript of 24 hours. */
export const longTurns = 12_000;

const words = 'we talked about the weather and about the money for a new computer before the summer holiday'.split(' ');
const secondsPerTurn = 86_400 / longTurns;

/** Replaces the file of a transcript by one of 24 hours. To recognize as much speech takes hours. */
export async function storeLongTranscript(transcriptionId: string): Promise<void> {
  const bucket = { Bucket: String(endpoints.buckets.transcripts) };
  const [key] = (await transcriptKeysWith(transcriptionId, `generated/${demoOrganization}/`)).filter((each) =>
    each.endsWith('.json'),
  );
  if (key === undefined) throw new Error('The transcript has no file of the format json.');
  const { Body } = await s3.send(new GetObjectCommand({ ...bucket, Key: key }));
  const document: TranscriptDocument = JSON.parse((await Body?.transformToString()) ?? '');
  const turns = Array.from({ length: longTurns }, (_, index) => turnOf(document.speakers[0]?.speaker ?? '', index));
  const file = { ...document, durationInSeconds: 86_400, turns };
  await s3.send(
    new PutObjectCommand({ ...bucket, Key: key, Body: JSON.stringify(file), ContentType: 'application/json' }),
  );
}

function turnOf(speaker: string, index: number): Turn {
  const startSeconds = Math.round(index * secondsPerTurn * 100) / 100;
  const said = Array.from({ length: 8 + ((index * 7) % 30) }, (_, word) => words[(index + word) % words.length] ?? '');
  return {
    speaker,
    startSeconds,
    endSeconds: startSeconds + secondsPerTurn - 0.2,
    text: `Number ${index}: ${said.join(' ')}.`,
    words: said.map((text, word) => ({
      text,
      startSeconds: startSeconds + word / 10,
      endSeconds: startSeconds + word / 10 + 0.1,
      confidence: 0.98,
    })),
  };
}
