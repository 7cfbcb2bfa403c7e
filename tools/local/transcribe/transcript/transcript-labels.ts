import type { Speech } from './spoken-words.ts';
import type { Item, Labels } from './transcript-items.ts';
import { span, type Timed, timesOf } from './transcript-times.ts';

// PocketSphinx does not distinguish speakers, so the first one says everything, on each channel.
const ONLY_SPEAKER = 'spk_0';

/** What a job shows of each word beside the word. */
export type ShownLabels = { showSpeakerLabels: boolean; showChannelLabels?: boolean };

type SpeakerSegment = Labels & Timed & { speaker_label: string; items: (Labels & Timed & { speaker_label: string })[] };
type ChannelItem = Omit<Item, 'id'>;

/** The name of a channel by its number. */
const channelLabel = (channel: number): string => `ch_${channel}`;

/** The labels that a job shows of everything on a channel. */
export const labelsOn = (channel: number, { showSpeakerLabels, showChannelLabels = false }: ShownLabels): Labels => ({
  ...(showChannelLabels ? { channel_label: channelLabel(channel) } : {}),
  ...(showSpeakerLabels ? { speaker_label: ONLY_SPEAKER } : {}),
});

/**
 * The section on channels: the items of each.
 * https://docs.aws.amazon.com/transcribe/latest/dg/channel-id-output-batch.html
 */
export function labelChannels(items: readonly Item[], channels: number) {
  return {
    channels: Array.from({ length: channels }, (_, channel): { channel_label: string; items: ChannelItem[] } => {
      const label = channelLabel(channel);
      const own = items.filter((item) => item.channel_label === label);
      return { channel_label: label, items: own.map(({ id: _id, ...item }) => item) };
    }),
    number_of_channels: channels,
  };
}

/**
 * The section on speakers: a segment of the only speaker for each utterance. Amazon does not document how it looks together with channels.
 * Here each segment then has its channel, and the speakers of each channel count from zero, since Amazon transcribes each by itself.
 * https://docs.aws.amazon.com/transcribe/latest/dg/diarization-output-batch.html
 */
export function labelSpeakers(speech: Speech, shown: ShownLabels) {
  const segments = speech.flatMap((utterances, channel) =>
    utterances.map((utterance): SpeakerSegment => {
      const labels = { ...labelsOn(channel, shown), speaker_label: ONLY_SPEAKER };
      return { ...span(utterance), ...labels, items: utterance.map((word) => ({ ...timesOf(word), ...labels })) };
    }),
  );
  return { ...(shown.showChannelLabels ? {} : { channel_label: channelLabel(0) }), speakers: speech.length, segments };
}
