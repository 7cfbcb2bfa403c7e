import type { MediaFile } from '#shared/adapters/media/media-source.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { madeFormats, madeMedia, opusPackets } from '../../support/media/made-media.ts';
import { memoryFile } from '../../support/media/media-files.ts';

type Turn = { readonly speaker: number; readonly from: number; readonly to: number };

/** The tracks of a meeting, as Opus in Ogg: one speaks after the other, and whoever does not speak is silent. */
export async function meetingTracks(speakers: number, seconds: number, seed: number): Promise<MediaFile[]> {
  const turns = turnsOf(speakers, seconds, seed);
  const tracks: MediaFile[] = [];
  for (let speaker = 0; speaker < speakers; speaker++) {
    const own = turns.filter((turn) => turn.speaker === speaker);
    const speaks = (at: number) => own.some(({ from, to }) => at >= from && at < to);
    // libopus with DTX refreshes its noise every 400 ms.
    const isSilent = (at: number) => !speaks(at) && Math.round(at * 50) % 20 !== 0;
    tracks.push(memoryFile(await madeMedia(madeFormats.ogg(), 'opus', opusPackets(seconds, { isSilent }))));
  }
  return tracks;
}

function turnsOf(speakers: number, seconds: number, seed: number): Turn[] {
  const random = createRandom('media', seed);
  const turns: Turn[] = [];
  let at = 1;
  let speaker = 0;
  while (at < seconds - 25) {
    const length = random.integer(40, 200) / 10;
    turns.push({ speaker, from: at, to: at + length });
    at += length + random.integer(2, 15) / 10;
    speaker = (speaker + random.integer(1, speakers - 1)) % speakers;
  }
  return turns;
}
