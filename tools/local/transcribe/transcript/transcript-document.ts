import { type Speech, secondsOf } from './spoken-words.ts';
import { type Item, type ItemLabels, toItems } from './transcript-items.ts';
import { labelChannels, labelSpeakers, labelsOn, type ShownLabels } from './transcript-labels.ts';
import { span, type Timed } from './transcript-times.ts';

type AudioSegment = ItemLabels & Timed & { id: number; transcript: string; items: number[] };

/** The part of Amazon Transcribe's JSON document that this server writes. Times and scores are text. */
export type TranscriptDocument = {
  jobName: string;
  accountId: string;
  isRedacted?: boolean;
  status: 'COMPLETED';
  results: {
    language_code?: string;
    language_identification?: { code: string; score: string }[];
    language_codes?: { language_code: string; duration_in_seconds: number }[];
    transcripts: { transcript: string }[];
    channel_labels?: ReturnType<typeof labelChannels>;
    speaker_labels?: ReturnType<typeof labelSpeakers>;
    items: Item[];
    audio_segments: AudioSegment[];
  };
};

/** The job's facts in the document. It has a language only if the request asked to identify it, or several. */
export type DocumentFacts = ShownLabels & {
  jobName: string;
  accountId: string;
  identifiedLanguage?: string;
  /** The one language of all speech, for a request that asked for several. */
  identifiedLanguages?: string;
  isRedacted?: boolean;
};

/**
 * Converts speech to Amazon's document. Each utterance becomes an audio segment and, if requested, a segment of the only speaker. It starts
 * with a capital letter and ends with a full stop. The items of one channel follow those of the other, as Amazon documents.
 */
export function buildTranscriptDocument(speech: Speech, facts: DocumentFacts): TranscriptDocument {
  const items: Item[] = [];
  const segments: AudioSegment[] = [];
  for (const [channel, utterances] of speech.entries()) {
    const labels = {
      ...labelsOn(channel, facts),
      ...(facts.identifiedLanguages === undefined ? {} : { language_code: facts.identifiedLanguages }),
    };
    for (const utterance of utterances) {
      const own = toItems(utterance, items.length, labels);
      items.push(...own);
      const transcript = `${own.slice(0, -1).map(contentOf).join(' ')}.`;
      const ids = own.map((item) => item.id);
      segments.push({ id: segments.length, transcript, ...span(utterance), ...labels, items: ids });
    }
  }
  return {
    jobName: facts.jobName,
    accountId: facts.accountId,
    ...(facts.isRedacted === undefined ? {} : { isRedacted: facts.isRedacted }),
    status: 'COMPLETED',
    results: {
      ...languagesOf(speech, facts),
      transcripts: [{ transcript: segments.map((segment) => segment.transcript).join(' ') }],
      ...(facts.showChannelLabels ? { channel_labels: labelChannels(items, speech.length) } : {}),
      ...(facts.showSpeakerLabels ? { speaker_labels: labelSpeakers(speech, facts) } : {}),
      items,
      audio_segments: segments,
    },
  };
}

/** https://docs.aws.amazon.com/transcribe/latest/dg/lang-id-batch.html */
function languagesOf(speech: Speech, { identifiedLanguage: one, identifiedLanguages: several }: DocumentFacts) {
  if (one !== undefined) return { language_code: one, language_identification: [{ code: one, score: '1.0' }] };
  if (several === undefined) return {};
  return { language_codes: [{ language_code: several, duration_in_seconds: secondsOf(speech.flat()) }] };
}

const contentOf = (item: Item): string => item.alternatives[0]?.content ?? '';
