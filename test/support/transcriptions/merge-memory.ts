import { marshall } from '@aws-sdk/util-dynamodb';
import { queueWorkers } from '#infra/functions/workers.ts';
import { planKey } from '#shared/domain/transcriptions/transcript-location.ts';
import { envNames } from '#shared/runtime/names.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { sqsEvent } from '../http/sqs-events.ts';
import { serve } from '../http/test-server.ts';
import { transcriptionRecord } from '../operations/records.ts';
import { type AnswerText, invokedMemory } from '../storage/invoked-memory.ts';
import { plannedSource, transcriptionPart, workKey } from './works.ts';

/** The memory of the worker merge-transcription. */
export const mergeMb = queueWorkers.find(({ name }) => name === 'merge-transcription')?.memorySize ?? Number.NaN;

/** A recording in parts of equal length. With participants, each of them has as many of the parts. */
export type MergedRecording = {
  readonly parts: number;
  readonly participants?: number;
  readonly secondsOfPart: number;
  readonly wordsOfPart: number;
};

/** The largest recordings that the worker merges. */
export const largestRecordings = {
  /** Seven outputs of 20 MB. */
  day: { parts: 7, secondsOfPart: 12_343, wordsOfPart: 87_000 },
  /** As many words as the worker takes. */
  words: { parts: 1000, participants: 100, secondsOfPart: 3600, wordsOfPart: 5000 },
  /** A hundred people who say ten thousand words each. */
  tracks: { parts: 1000, participants: 100, secondsOfPart: 3600, wordsOfPart: 1000 },
} as const satisfies Record<string, MergedRecording>;

/**
 * Invokes the bundled worker merge-transcription with a recording. Returns how many messages failed, the peak of the memory, and how
 * many bytes of transcripts it has written.
 */
export async function mergeMemory(recording: MergedRecording) {
  const output = outputText(recording);
  const plan = planOf(recording);
  const files = (key: string) => {
    const part = Number(/(\d+)\.output\.json$/.exec(key)?.[1]);
    if (part > 0) return output.replaceAll('word', `word${part % (recording.participants ?? 1)}-`); // everybody has their own words
    if (key.endsWith('.map.json')) return JSON.stringify([[0, 0, recording.secondsOfPart]]);
    return JSON.stringify(plan);
  };
  let written = 0;
  const s3 = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    if (request.method === 'GET' && !searchParams.has('list-type')) {
      const body = Buffer.from(files(pathname));
      response.writeHead(200, { 'content-length': body.length }).end(body);
      return;
    }
    written += Number(request.headers['x-amz-decoded-content-length'] ?? request.headers['content-length'] ?? 0);
    request.resume().on('end', () => response.writeHead(200).end(searchParams.has('list-type') ? noFiles : ''));
  });
  const sqs = await serve((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end(JSON.stringify({ Successful: [], Failed: [] })));
  });
  const env = {
    [envNames.transcriptionsTable]: 'transcriptions',
    [envNames.transcriptionPartsTable]: 'parts',
    [envNames.transcriptsBucket]: 'transcripts',
    [envNames.transcriptionMergesQueue]: `${sqs.url}/merges`,
    [envNames.transcriptSpeakersTable]: 'speakers',
    [envNames.insightFactsTable]: 'facts',
    [envNames.transcriptChangesQueue]: `${sqs.url}/changes`,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_ENDPOINT_URL_SQS: sqs.url,
  };
  try {
    const options = { answerTo: answersFrom(recording), env };
    const invoked = await invokedMemory(
      'functions/workers/transcriptions/merge-transcription',
      mergeMb,
      sqsEvent(workKey),
      options,
    );
    return { ...invoked, writtenMb: written / 1024 ** 2, outputMb: output.length / 1024 ** 2 };
  } finally {
    s3.stop();
    sqs.stop();
  }
}

const noFiles = '<ListBucketResult><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>';

/** Transcribe's output for a part: as few characters for each word as it writes, so that there are as many words as possible. */
function outputText({ wordsOfPart, secondsOfPart }: MergedRecording): string {
  const step = secondsOfPart / wordsOfPart;
  const times = (index: number) => ({
    start_time: (index * step).toFixed(3),
    end_time: ((index + 0.9) * step).toFixed(3),
    speaker_label: `spk_${Math.floor(index / 30) % 4}`,
  });
  const words = Array.from({ length: wordsOfPart }, (_, index) => index);
  const items = words.map((index) => ({
    id: index,
    type: 'pronunciation',
    alternatives: [{ confidence: '0.998', content: `word${index % 5000}` }],
    ...times(index),
  }));
  const segments = [{ start_time: '0.0', end_time: '1.0', speaker_label: 'spk_0', items: words.map(times) }];
  const transcripts = [{ transcript: items.map(({ alternatives }) => alternatives[0]?.content).join(' ') }];
  return JSON.stringify({ results: { language_code: 'en-US', transcripts, speaker_labels: { segments }, items } });
}

function partsOf({ parts, participants, secondsOfPart }: MergedRecording) {
  return Array.from({ length: parts }, (_, index) => {
    const place = participants === undefined ? index : Math.floor(index / participants);
    return transcriptionPart({
      part: index + 1,
      participantId: participants === undefined ? null : `participant-${index % participants}`,
      from: Math.max(0, place * secondsOfPart - (participants === undefined ? 60 : 0)),
      to: (place + 1) * secondsOfPart,
    });
  });
}

function planOf(recording: MergedRecording) {
  const sources = partsOf(recording).map(({ participantId, part, from, to }) => {
    const plan = { kind: 'prepare', output: 'ogg', pieces: [{ from, to }] } as const;
    return plannedSource({ participantId, firstPart: part, offset: from, plan });
  });
  return { sources, partCount: recording.parts, recordedSeconds: recording.secondsOfPart };
}

/** Answers like DynamoDB, in which the transcription, the head and the parts are stored. */
function answersFrom(recording: MergedRecording): AnswerText {
  const item = (row: object) => marshall(row, { removeUndefinedValues: true });
  const head = {
    ...workKey,
    planKey: planKey(workKey, 'hash'),
    partCount: recording.parts,
    endedParts: recording.parts,
  };
  const parts = partsOf(recording).map(item);
  return (operation, input) => {
    if (operation === 'Query') return JSON.stringify({ Items: String(input.TableName) === 'parts' ? parts : [] });
    if (operation !== 'GetItem' || JSON.stringify(input.Key).includes('#speakers')) return '{}';
    const isHead = String(input.TableName) === 'parts';
    return JSON.stringify({ Item: item(isHead ? head : toRow(transcriptionRecord())) });
  };
}
