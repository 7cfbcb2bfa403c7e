import { ListTranscriptionJobsCommand } from '@aws-sdk/client-transcribe';
import SubRipParser from 'srt-parser-2';
import { beforeAll, describe, expect, it } from 'vitest';
import webvtt from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import { type TranscriptFormat, transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import {
  type TranscriptionDetail,
  TranscriptionPage,
} from '#shared/contracts/transcriptions/transcription-operations.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, read } from '../../support/http/checked-api.ts';
import { organization, transcribe } from '../../support/machine.ts';
import {
  createTranscription,
  ended,
  finishRecording,
  linkTo,
  sampleText,
  twoSentencesWav,
  unheard,
} from '../../support/media/recordings.ts';
import { rowsOf, transcriptKeysWith } from '../../support/storage/storage.ts';
import { wordErrorRate } from '../../support/transcriptions/word-error-rate.ts';

const acme = organization();
const call = clientOf(acme);
const roomName = '/sales & support';
const spokenText = sampleText.split('\n').slice(0, 2).join('\n');

let path: string;
let transcription: TranscriptionDetail;
let files: Readonly<Record<TranscriptFormat, string>>;

beforeAll(async () => {
  const { recordingId } = await finishRecording(acme, {
    body: unheard(twoSentencesWav),
    roomName,
    filename: 'sales.wav',
  });
  ({ path } = await createTranscription(acme, recordingId));
  for (let again = 0; again < 2; again++) {
    await call('DELETE', path);
    ({ path } = await createTranscription(acme, recordingId));
  }
  transcription = await ended(acme, path);
  const downloads = transcriptFormats.map(async (format) => [format, await download(format)] as const);
  files = Object.fromEntries(await Promise.all(downloads)) as typeof files;
});

/** Downloads as a browser does, with the link alone. */
async function download(format: TranscriptFormat): Promise<string> {
  const { accessLink } = await linkTo(acme, path, format);
  const response = await fetch(accessLink);
  expect(response.status).toBe(200);
  return response.text();
}

describe('the transcription of the sample recording', () => {
  it('is the third one, and uses the one job that was started, because each was deleted while that job ran', async () => {
    const { TranscriptionJobSummaries: jobs } = await transcribe.send(
      new ListTranscriptionJobsCommand({ JobNameContains: `.${acme}.` }),
    );
    const rows = await rowsOf(acme);

    expect(jobs).toHaveLength(1);
    expect(rows.filter(({ takenOverBy }) => takenOverBy !== undefined)).toHaveLength(2);
    expect(await transcriptKeysWith('transcribe-output', `generated/${acme}/`)).toEqual([]);
  });

  it('is ready and has every field of the API', () => {
    expect(transcription).toEqual({
      transcriptionId: path.split('/').at(-1),
      roomSessionId: expect.any(String),
      roomName,
      createdAt: expect.any(String),
      startDate: '2026-03-01T09:00:00.000Z',
      endDate: '2026-03-01T09:00:31.000Z',
      state: 'ready',
      durationInSeconds: 31,
      recordedSeconds: 8.5,
      submittedSeconds: 8.5,
      type: 'RECORDING_TRANSCRIPTION',
      filename: expect.stringMatching(/\.md$/),
      storageType: 'SERVICE_HOSTED',
      language: 'en-US',
      options: { language: 'auto', multiLanguage: false, maxSpeakers: 10, tracks: false },
      speakers: [
        {
          ...{ speaker: 'Speaker 1', participantId: null, displayName: 'Speaker 1', source: 'recognizer' },
          ...{ confidence: null, spokenSeconds: expect.any(Number), turns: expect.any(Number), share: 1 },
          ...{ longestTurnSeconds: expect.any(Number), overlapSeconds: 0 },
        },
      ],
    });
  });

  it('is the same in a list and in a read, but for its speakers and options', async () => {
    const { speakers: _, language: __, options: ___, ...listed } = transcription;
    await eventually(async () => {
      const page = read(TranscriptionPage, await call('GET', '/v1/transcriptions'));
      expect(page).toEqual({ results: [listed], cursor: null });
    });
  });

  it('returns JSON with the same bytes while nothing changes', async () => {
    const first = await call('GET', path);
    const second = await call('GET', path);

    expect(first.headers['content-type']).toBe('application/json');
    expect(second.text).toBe(first.text);
  });
});

describe('the transcript of the sample recording', () => {
  it.each(transcriptFormats)('has at most one wrong word in five in %s', (format) => {
    expect(wordErrorRate(spokenText, wordsOf[format]())).toBeLessThanOrEqual(0.2);
  });

  it.each(transcriptFormats)('has the same turns, speakers and times in %s as in JSON', (format) => {
    const turns = turnsOf[format]();
    const exact = turnsOf.json();

    expect(turns.map(({ speaker, text }) => ({ speaker, text }))).toEqual(
      exact.map(({ speaker, text }) => ({ speaker, text })),
    );
    for (const [index, { start, end }] of turns.entries()) {
      expect(Math.abs(start - (exact[index]?.start ?? 0))).toBeLessThanOrEqual(precision[format]);
      if (end !== undefined) expect(Math.abs(end - (exact[index]?.end ?? 0))).toBeLessThanOrEqual(precision[format]);
    }
  });

  it('is valid WebVTT and SubRip for third-party parsers', () => {
    const parsed = new webvtt.WebVTTParser(entities).parse(files.vtt, 'metadata');
    const lines = new SubRipParser().fromSrt(files.srt);

    expect(parsed.errors).toEqual([]);
    expect(parsed.cues.length).toBeGreaterThan(0);
    expect(lines.map(({ id }) => id)).toEqual(parsed.cues.map(({ id }) => id));
  });

  it('starts with room, date, duration and language in Markdown', () => {
    expect(files.md).toMatch(
      new RegExp(
        [
          '^# Transcript of /sales \\\\& support\n',
          '- Room: /sales \\\\& support',
          '- Date: 2026-03-01T09:00:00.000Z',
          '- Duration: 00:00:31',
          '- Language: en-US\n',
          '\\*\\*Speaker 1\\*\\* \\[00:00:\\d\\d\\] \\w',
        ].join('\n'),
      ),
    );
  });

  it('repeats the fields of the transcription in JSON', () => {
    const { transcriptionId, roomSessionId, startDate, endDate, durationInSeconds } = transcription;
    expect(JSON.parse(files.json)).toMatchObject({
      ...{ transcriptionId, roomName, roomSessionId, startDate, endDate, durationInSeconds },
      languageCode: 'en-US',
    });
  });
});

type Turn = { readonly speaker: string; readonly text: string; readonly start: number; readonly end?: number };

/** The seconds by which each format may round. */
const precision: Record<TranscriptFormat, number> = { md: 1, txt: 1, vtt: 0.0011, srt: 0.0011, json: 0 };

const turnsOf: Record<TranscriptFormat, () => Turn[]> = {
  json: () =>
    (JSON.parse(files.json).turns as { speaker: string; text: string; startSeconds: number; endSeconds: number }[]).map(
      ({ speaker, text, startSeconds, endSeconds }) => ({ speaker, text, start: startSeconds, end: endSeconds }),
    ),
  vtt: () =>
    new webvtt.WebVTTParser(entities).parse(files.vtt).cues.map(({ startTime, endTime, tree }) => {
      const [voice] = tree.children;
      const text = voice?.children?.map(({ value = '' }) => value).join('') ?? '';
      return { speaker: voice?.value ?? '', text, start: startTime, end: endTime };
    }),
  srt: () =>
    new SubRipParser().fromSrt(files.srt).map(({ startSeconds, endSeconds, text }) => {
      const [speaker = '', said = ''] = text.split(': ');
      return { speaker, text: said, start: startSeconds, end: endSeconds };
    }),
  md: () => matches(files.md, /^\*\*(?<speaker>.+?)\*\* \[(?<clock>[\d:]+)\] (?<text>.+)$/gm),
  txt: () => matches(files.txt, /^\[(?<clock>[\d:]+)\] (?<speaker>.+?): (?<text>.+)$/gm),
};

const wordsOf = Object.fromEntries(
  transcriptFormats.map((format) => [
    format,
    () =>
      turnsOf[format]()
        .map(({ text }) => text)
        .join(' '),
  ]),
) as Record<TranscriptFormat, () => string>;

function matches(text: string, pattern: RegExp): Turn[] {
  return [...text.matchAll(pattern)].map(({ groups = {} }) => {
    const [hours = 0, minutes = 0, seconds = 0] = (groups.clock ?? '').split(':').map(Number);
    return { speaker: groups.speaker ?? '', text: groups.text ?? '', start: hours * 3600 + minutes * 60 + seconds };
  });
}
