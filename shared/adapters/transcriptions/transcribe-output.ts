import * as z from 'zod/mini';
import { longestFirst } from '#shared/domain/transcript/languages.ts';
import type { Spoken, SpokenItem, SpokenLanguage } from '#shared/domain/transcript/transcript.ts';

const Item = z.object({
  type: z.enum(['pronunciation', 'punctuation']),
  alternatives: z.array(z.object({ content: z.string(), confidence: z.optional(z.unknown()) })).check(z.minLength(1)),
  start_time: z.optional(z.string()),
  end_time: z.optional(z.string()),
  speaker_label: z.optional(z.string()),
  channel_label: z.optional(z.string()),
  language_code: z.optional(z.nullable(z.string())),
});

/** Both fields are optional: https://docs.aws.amazon.com/transcribe/latest/APIReference/API_LanguageCodeItem.html */
const Language = z.object({ language_code: z.optional(z.string()), duration_in_seconds: z.optional(z.unknown()) });

const Output = z.object({
  results: z.object({
    language_code: z.optional(z.nullable(z.string())),
    language_codes: z.optional(z.nullable(z.array(Language))),
    items: z.array(Item),
    speaker_labels: z.optional(
      z.object({
        segments: z.array(
          z.object({
            items: z.array(
              z.object({
                start_time: z.string(),
                speaker_label: z.string(),
                channel_label: z.optional(z.string()),
              }),
            ),
          }),
        ),
      }),
    ),
    channel_labels: z.optional(z.object({ number_of_channels: z.optional(z.number()) })),
  }),
});
type Output = z.infer<typeof Output>;

/**
 * Parses the JSON that Transcribe writes. Returns undefined if the text has another format. A job that identifies several languages lists
 * them, and names no single one.
 * https://docs.aws.amazon.com/transcribe/latest/dg/how-input.html#how-output
 * https://docs.aws.amazon.com/transcribe/latest/dg/lang-id-batch.html#lang-id-batch-multi-language
 */
export function parseTranscribeOutput(text: string): Spoken | undefined {
  const parsed = Output.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { language_code, language_codes } = parsed.data.results;
  const languages = longestFirst((language_codes ?? []).flatMap(toLanguage));
  return {
    languageCode: languages[0]?.languageCode ?? language_code ?? null,
    ...(languages.length > 0 && { languages }),
    items: toSpokenItems(parsed.data),
  };
}

/** A language whose duration is not a number of seconds counts as the shortest. */
function toLanguage({ language_code, duration_in_seconds: duration }: z.infer<typeof Language>): SpokenLanguage[] {
  if (!language_code) return [];
  return [{ languageCode: language_code, seconds: typeof duration === 'number' && duration > 0 ? duration : 0 }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: the schema rejects undefined
  }
}

function toSpokenItems({ results }: Output): SpokenItem[] {
  const segmentItems = results.speaker_labels?.segments.flatMap(({ items }) => items) ?? [];
  const labels = new Map(segmentItems.map((item) => [placeOf(item), item.speaker_label]));
  const hasChannels = results.channel_labels?.number_of_channels === channelLabels.length;
  const items: SpokenItem[] = [];
  for (const item of results.items) {
    const channel = hasChannels ? channelOf(item.channel_label) : undefined;
    const before = items.at(-1);
    const previous = before?.channel === channel ? before : undefined; // the words of a channel follow those of the other
    const startSeconds = seconds(item.start_time) ?? previous?.endSeconds ?? 0;
    items.push({
      kind: item.type === 'punctuation' ? 'punctuation' : 'word',
      text: item.alternatives[0]?.content ?? '',
      speaker: speakerName(item.speaker_label ?? labels.get(placeOf(item)) ?? labels.get(item.start_time ?? '')),
      ...(channel !== undefined && { channel }),
      ...(item.language_code && { languageCode: item.language_code }),
      startSeconds,
      endSeconds: Math.max(startSeconds, seconds(item.end_time) ?? startSeconds),
      confidence: certainty(item.alternatives[0]?.confidence),
    });
  }
  return items;
}

/** The most channels that Transcribe tells apart. A file with one channel tells nobody apart. */
const channelLabels = ['ch_0', 'ch_1'];

function channelOf(label: string | undefined): number | undefined {
  const channel = channelLabels.indexOf(label ?? '');
  return channel === -1 ? undefined : channel;
}

/** Names a moment of a channel, or of a file whose channels are not told apart. */
function placeOf({
  start_time = '',
  channel_label,
}: Pick<Output['results']['items'][number], 'start_time' | 'channel_label'>) {
  return channel_label === undefined ? start_time : `${channel_label} ${start_time}`;
}

/** Parses seconds. Returns undefined unless they are a number that fits a timestamp. */
function seconds(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '');
  return value >= 0 && value < 1_000_000 ? value : undefined;
}

/** How sure Transcribe is of a word. Undefined unless it is a number from 0 to 1, as text or not. */
function certainty(confidence: unknown): number | undefined {
  const value = typeof confidence === 'string' ? Number.parseFloat(confidence) : confidence;
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;
}

/** Transcribe numbers speakers from `spk_0`. The names start at 1. */
function speakerName(label: string | undefined): string {
  const number = /^spk_(\d+)$/.exec(label ?? '')?.[1];
  return `Speaker ${number === undefined ? '1' : Number(number) + 1}`;
}
