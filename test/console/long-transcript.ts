import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { TranscriptDocument, Turn } from '#shared/contracts/transcript-document.ts';
import { AccessLink } from '#shared/contracts/transcription.ts';
import { demoOrganization } from '#tools/shared/token.ts';
import { clientOf, read } from '../support/checked-api.ts';
import { s3 } from '../support/machine.ts';

/** The turns of a transcript of 24 hours. */
export const longTurns = 12_000;

const words = 'we talked about the weather and about the money for a new computer before the summer holiday'.split(' ');
const secondsPerTurn = 86_400 / longTurns;

/** Replaces the file of a transcript by one of 24 hours. To recognize as much speech takes hours. */
export async function storeLongTranscript(transcriptionId: string): Promise<void> {
  const path = `/v1/transcriptions/${transcriptionId}/access-link?format=json&validForSeconds=600`;
  const { accessLink } = read(AccessLink, await clientOf(demoOrganization)('GET', path));
  const document = (await (await fetch(accessLink)).json()) as TranscriptDocument;
  const [, Bucket, ...names] = decodeURIComponent(new URL(accessLink).pathname).split('/');
  const turns = Array.from({ length: longTurns }, (_, index) => turnOf(document.speakers[0]?.speaker ?? '', index));
  const file = { ...document, durationInSeconds: 86_400, turns };
  await s3.send(
    new PutObjectCommand({ Bucket, Key: names.join('/'), Body: JSON.stringify(file), ContentType: 'application/json' }),
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
    words: said.slice(0, 4).map((text, word) => ({
      // the local S3 takes 11 MB at once
      text,
      startSeconds: startSeconds + word / 10,
      endSeconds: startSeconds + word / 10 + 0.1,
      confidence: 0.98,
    })),
  };
}
