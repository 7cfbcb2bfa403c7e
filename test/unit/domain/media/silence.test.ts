import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { originalSpan, submittedSeconds, timeMapBuilder } from '#shared/domain/media/media-time-map.ts';
import { opusHasSpeech, opusSeconds, opusSilence } from '#shared/domain/media/opus-packet.ts';
import { pcmHasSpeech } from '#shared/domain/media/pcm-energy.ts';
import { silenceGate } from '#shared/domain/media/silence-gate.ts';

/** Packets of 20 ms. Each character of the pattern is half a second: `s` speech, `.` silence, a space no packets. */
function packets(pattern: string) {
  return [...pattern].flatMap((kind, half) =>
    kind === ' '
      ? []
      : Array.from({ length: 25 }, (_, index) => ({
          at: half / 2 + index / 50,
          seconds: 0.02,
          hasSpeech: kind === 's',
        })),
  );
}

/** The stretches that the gate keeps. */
function keptSpans(heard: ReturnType<typeof packets>): string[][] {
  const gate = silenceGate<(typeof heard)[number]>();
  const spans: { from: number; to: number }[] = [];
  for (const { at, seconds } of heard.flatMap((packet) => gate.push(packet))) {
    const last = spans.at(-1);
    if (last && at - last.to < 0.9) last.to = at + seconds;
    else spans.push({ from: at, to: at + seconds });
  }
  return spans.map(({ from, to }) => [from.toFixed(2), to.toFixed(2)]);
}

describe('silenceGate', () => {
  test.each([
    ['keeps silence of less than two seconds', 'ss...ss', [['0.00', '3.50']]],
    [
      'leaves out silence of two seconds, but half a second on each side',
      'ss....ss',
      [
        ['0.00', '1.50'],
        ['2.50', '4.00'],
      ],
    ],
    ['leaves out silence at the beginning and at the end', '......ss......', [['2.50', '4.50']]],
    [
      'takes missing packets for silence',
      'ss      ss',
      [
        ['0.00', '1.00'],
        ['4.00', '5.00'],
      ],
    ],
    ['finds nothing in silence', '........', []],
  ])('%s', (_, pattern, spans) => {
    expect(keptSpans(packets(pattern))).toEqual(spans);
  });

  test('does not take single packets that refresh the noise for speech', () => {
    const refreshed = packets('ss............ss').map((packet) => ({
      ...packet,
      hasSpeech: packet.hasSpeech || Math.round(packet.at * 50) % 20 === 0,
    }));
    expect(keptSpans(refreshed)).toEqual([
      ['0.00', '1.50'],
      ['6.50', '8.00'],
    ]);
  });
});

test('the gate keeps the order of packets, all speech, and little more', () => {
  const pattern = fc.array(fc.constantFrom('s', '.', ' '), { maxLength: 40 }).map((kinds) => kinds.join(''));
  fc.assert(
    fc.property(pattern, (kinds) => {
      const all = packets(kinds);
      const gate = silenceGate<(typeof all)[number]>();
      const kept = all.flatMap((packet) => gate.push(packet));
      expect(kept).toEqual(kept.toSorted((a, b) => a.at - b.at));
      expect(new Set(kept).size).toBe(kept.length);
      expect(kept.filter(({ hasSpeech }) => hasSpeech)).toEqual(all.filter(({ hasSpeech }) => hasSpeech));
      const runs = kinds.split(/s+/).length;
      expect(kept.filter(({ hasSpeech }) => !hasSpeech).length).toBeLessThanOrEqual(runs * 100);
    }),
  );
});

test('a time map leads each packet back to its place', () => {
  const steps = fc.array(
    fc.record({ skipped: fc.double({ min: 0.02, max: 100, noNaN: true }), count: fc.integer({ min: 1, max: 50 }) }),
  );
  fc.assert(
    fc.property(steps, (runs) => {
      const map = timeMapBuilder();
      const written: { at: number; out: number }[] = [];
      let at = 0;
      for (const { skipped, count } of runs) {
        at += skipped;
        for (let index = 0; index < count; index++, at += 0.02) written.push({ at, out: map.add(at, 0.02) });
      }
      for (const { at: original, out } of written)
        expect(originalSpan(map.entries, { from: out, to: out + 0.02 }).from).toBeCloseTo(original, 5);
      expect(submittedSeconds(map.entries)).toBeCloseTo(written.length * 0.02);
      expect(map.entries.length).toBeLessThanOrEqual(runs.length);
    }),
  );
});

test('a time between and outside of the entries of a map leads to the nearest one', () => {
  const map = [
    [0, 10, 2],
    [2, 20, 3],
  ] as const;
  const times = [-1, 0, 1.5, 2, 4.5, 9].map((time) => originalSpan(map, { from: time, to: time }).from);
  expect(times).toEqual([10, 10, 11.5, 20, 22.5, 23]);
  expect(originalSpan([], { from: 7, to: 8 })).toEqual({ from: 7, to: 8 });
});

describe('an Opus packet', () => {
  test.each([
    [[0x78, 1, 2, 3], 0.02],
    [[0x08, 1], 0.02],
    [[0x18], 0.06],
    [[0x80], 0.0025],
    [[0xf9, 1, 2], 0.04],
    [[0xfb, 0x03], 0.06],
    [[0x1b, 0x3f], 0],
    [[], 0],
  ])('%j has %d seconds', (bytes, seconds) => {
    expect(opusSeconds(new Uint8Array(bytes))).toBeCloseTo(seconds, 6);
  });

  test('has no speech if it has at most three bytes', () => {
    expect([1, 2, 3, 4].map((bytes) => opusHasSpeech(new Uint8Array(bytes)))).toEqual([false, false, false, true]);
    expect(opusHasSpeech(opusSilence(2))).toBe(false);
  });
});

test.each(['pcm-s16', 'pcm-f32'] as const)(
  '%s has speech if it is louder than a muted microphone, at any offset',
  (codec) => {
    const scale = codec === 'pcm-s16' ? 32_767 : 1;
    const kind = codec === 'pcm-s16' ? Int16Array : Float32Array;
    const wave = (loudness: number) => {
      const samples = new kind(4000).map((_, index) => loudness * scale * Math.sin(index / 7));
      const shifted = new Uint8Array(samples.byteLength + 1);
      shifted.set(new Uint8Array(samples.buffer), 1);
      return shifted.subarray(1);
    };
    expect([0, 0.001, 0.01, 0.3].map((loudness) => pcmHasSpeech(codec, wave(loudness)))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(pcmHasSpeech(codec, new Uint8Array(0))).toBe(false);
  },
);
