import type { Page } from 'playwright-core';
import type { TranscriptDocument, Turn } from '#shared/contracts/transcriptions/transcript-document.ts';

/** The turns of a transcript of 24 hours. */
export const longTurns = 12_000;

const words = 'we talked about the weather and about the money for a new computer before the summer holiday'.split(' ');
const secondsPerTurn = 86_400 / longTurns;

/**
 * Gives a page the file of a transcript of 24 hours in place of the short one that the service has made: to recognize as much speech
 * takes hours, and the service writes its own file anew whenever a name changes.
 */
export async function withLongTranscript(page: Page): Promise<void> {
  await page.route(/\.json\?.*X-Amz-Signature=/, async (route) => {
    const response = await route.fetch();
    const document: TranscriptDocument = await response.json();
    const turns = Array.from({ length: longTurns }, (_, index) => turnOf(document.speakers[0]?.speaker ?? '', index));
    await route.fulfill({ response, json: { ...document, durationInSeconds: 86_400, turns } });
  });
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
