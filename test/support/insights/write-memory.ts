import { marshall } from '@aws-sdk/util-dynamodb';
import { queueWorkers } from '#infra/functions/workers.ts';
import { speakersOf, unnamedSpeakers } from '#shared/domain/transcript/speakers.ts';
import { envNames } from '#shared/runtime/names.ts';
import { sqsEvent } from '../http/sqs-events.ts';
import { serve } from '../http/test-server.ts';
import { transcriptionRecord } from '../operations/records.ts';
import { type AnswerText, invokedMemory } from '../storage/invoked-memory.ts';

/** The memory of the worker write-transcript. */
export const writeMb = queueWorkers.find(({ name }) => name === 'write-transcript')?.memorySize ?? Number.NaN;

const wordsOfTurn = 30;
const speakerCount = 100;

/**
 * Invokes the bundled worker write-transcript with a transcript of so many words. Returns how many messages failed, the peak of the
 * memory, and how many bytes it has read and written.
 */
export async function writeMemory(wordCount: number) {
  const { organizationId, transcriptionId, ...record } = transcriptionRecord();
  const transcript = transcriptOf(wordCount);
  const speakers = speakersOf(transcript.speakers, transcript.turns);
  const body = Buffer.from(JSON.stringify({ subject: { transcriptionId, ...record }, transcript }));
  const corrections = { 'Speaker 1': { participantId: null, displayName: 'Ada Lovelace' } };
  const row = { languageCode: 'en-US', speakers, corrections, revision: 1 };
  const answer = JSON.stringify({ Item: marshall(row, { removeUndefinedValues: true }) });
  let written = 0;
  const s3 = await serve((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-length': body.length }).end(body);
      return;
    }
    written += Number(request.headers['x-amz-decoded-content-length'] ?? request.headers['content-length'] ?? 0);
    request.resume().on('end', () => response.writeHead(200).end());
  });
  const env = {
    [envNames.transcriptionsTable]: 'transcriptions',
    [envNames.transcriptSpeakersTable]: 'speakers',
    AWS_ENDPOINT_URL_S3: s3.url,
  };
  try {
    const event = sqsEvent({ organizationId, transcriptionId, correlationId: 'JKJaXmPLvHcESHA=' });
    const answerTo: AnswerText = (_operation, { TableName }) => (String(TableName) === 'speakers' ? answer : '{}');
    const options = { answerTo, env };
    const invoked = await invokedMemory('functions/workers/transcriptions/write-transcript', writeMb, event, options);
    return { ...invoked, writtenMb: written / 1024 ** 2, readMb: body.length / 1024 ** 2 };
  } finally {
    s3.stop();
  }
}

/** A transcript whose turns have words of the same length as those of a merge in `merge-memory.ts`. */
function transcriptOf(wordCount: number) {
  const turns = Array.from({ length: wordCount / wordsOfTurn }, (_, turn) => {
    const words = Array.from({ length: wordsOfTurn }, (__, place) => {
      const index = turn * wordsOfTurn + place;
      const startSeconds = Math.round(index * 720) / 1000;
      const endSeconds = Math.round(index * 720 + 648) / 1000;
      return { text: `word${turn % speakerCount}-${index % 5000}`, startSeconds, endSeconds, confidence: 0.998 };
    });
    const { startSeconds = 0 } = words.at(0) ?? {};
    const { endSeconds = 0 } = words.at(-1) ?? {};
    const text = words.map((word) => word.text).join(' ');
    return { speaker: `Speaker ${(turn % speakerCount) + 1}`, startSeconds, endSeconds, text, words };
  });
  return { languageCode: 'en-US', turns, speakers: unnamedSpeakers(turns) };
}
