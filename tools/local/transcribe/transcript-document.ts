import type { HeardWord, Utterance } from './pocketsphinx-output.ts';

type Alternative = { confidence: string; content: string };
type Pronunciation = {
  id: number;
  type: 'pronunciation';
  alternatives: Alternative[];
  start_time: string;
  end_time: string;
  speaker_label?: string;
};
type Punctuation = { id: number; type: 'punctuation'; alternatives: Alternative[]; speaker_label?: string };
type Item = Pronunciation | Punctuation;
type Timed = { start_time: string; end_time: string };
type AudioSegment = Timed & { id: number; transcript: string; speaker_label?: string; items: number[] };
type SpeakerSegment = Timed & { speaker_label: string; items: (Timed & { speaker_label: string })[] };

/** The part of Amazon Transcribe's JSON document that this server writes. Times and scores are text. */
export type TranscriptDocument = {
  jobName: string;
  accountId: string;
  status: 'COMPLETED';
  results: {
    language_code?: string;
    language_identification?: { code: string; score: string }[];
    transcripts: { transcript: string }[];
    speaker_labels?: { channel_label: string; speakers: number; segments: SpeakerSegment[] };
    items: Item[];
    audio_segments: AudioSegment[];
  };
};

/** The job's facts in the document. The document has a language only if the request asked to identify it. */
export type DocumentFacts = {
  jobName: string;
  accountId: string;
  identifiedLanguage?: string;
  showSpeakerLabels: boolean;
};

// PocketSphinx does not distinguish speakers, so the first one says everything.
const ONLY_SPEAKER = 'spk_0';

/**
 * Converts recognized utterances to Amazon's document. Each utterance becomes an audio segment and, if requested, a
 * segment of the only speaker. It starts with a capital letter and ends with a full stop.
 */
export function buildTranscriptDocument(utterances: Utterance[], facts: DocumentFacts): TranscriptDocument {
  const speaker = facts.showSpeakerLabels ? { speaker_label: ONLY_SPEAKER } : {};
  const items: Item[] = [];
  const segments = utterances.map((utterance, id): AudioSegment => {
    const spoken = utterance.map((word, index) => toPronunciation(word, items.length + index, index === 0));
    const stop: Punctuation = {
      id: items.length + spoken.length,
      type: 'punctuation',
      alternatives: [{ confidence: '0.0', content: '.' }],
    };
    const segmentItems = [...spoken, stop].map((item) => ({ ...item, ...speaker }));
    items.push(...segmentItems);
    const transcript = `${spoken.map((item) => item.alternatives[0]?.content).join(' ')}.`;
    return { id, transcript, ...span(utterance), ...speaker, items: segmentItems.map((item) => item.id) };
  });
  const language = facts.identifiedLanguage;
  return {
    jobName: facts.jobName,
    accountId: facts.accountId,
    status: 'COMPLETED',
    results: {
      ...(language === undefined
        ? {}
        : { language_code: language, language_identification: [{ code: language, score: '1.0' }] }),
      transcripts: [{ transcript: segments.map((segment) => segment.transcript).join(' ') }],
      ...(facts.showSpeakerLabels ? { speaker_labels: labelSpeakers(utterances) } : {}),
      items,
      audio_segments: segments,
    },
  };
}

function toPronunciation(word: HeardWord, id: number, isFirst: boolean): Pronunciation {
  const content = isFirst || isFirstPerson(word.text) ? capitalise(word.text) : word.text;
  return {
    id,
    type: 'pronunciation',
    alternatives: [{ confidence: decimal(word.confidence), content }],
    ...timesOf(word),
  };
}

const isFirstPerson = (word: string): boolean => word === 'i' || word.startsWith("i'");
const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function labelSpeakers(utterances: Utterance[]): {
  channel_label: string;
  speakers: number;
  segments: SpeakerSegment[];
} {
  const segments = utterances.map((utterance) => ({
    ...span(utterance),
    speaker_label: ONLY_SPEAKER,
    items: utterance.map((word) => ({ ...timesOf(word), speaker_label: ONLY_SPEAKER })),
  }));
  return { channel_label: 'ch_0', speakers: 1, segments };
}

const timesOf = (word: Pick<HeardWord, 'startSeconds' | 'endSeconds'>): Timed => ({
  start_time: decimal(word.startSeconds),
  end_time: decimal(word.endSeconds),
});

function span(utterance: Utterance): Timed {
  return timesOf({
    startSeconds: utterance[0]?.startSeconds ?? 0,
    endSeconds: utterance.at(-1)?.endSeconds ?? 0,
  });
}

/** At most three decimals and at least one, as in Amazon's documents: 4.0, 0.998, 12.34. */
function decimal(value: number): string {
  const rounded = Math.round(value * 1000) / 1000;
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded);
}
