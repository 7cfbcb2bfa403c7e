import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { TranscriptFormat } from '#shared/contracts/transcriptions/transcription.ts';
import { renderTranscript } from '#shared/domain/transcriptions/render-transcript.ts';
import { escaped, markdownReaders } from '../../../support/docs/markdown-readers.ts';
import { runFfmpeg } from '../../../support/media/ffmpeg.ts';
import { hostileTexts, subject, transcript, turn } from '../../../support/transcriptions/transcripts.ts';

/** A transcript in which somebody with this name says this, second after second. */
function said(
  format: TranscriptFormat,
  roomName: string,
  ...lines: readonly (readonly [name: string, text: string])[]
) {
  const turns = lines.map(([, text], index) =>
    turn({ speaker: `Speaker ${index + 1}`, startSeconds: index, endSeconds: index + 1, text }),
  );
  const plain = transcript(...turns);
  const speakers = plain.speakers.map((voice, index) => {
    const displayName = lines[index]?.[0] ?? '';
    return { ...voice, participantId: `p-${index}`, displayName, source: 'corrected' as const };
  });
  return renderTranscript(format, { ...subject, roomName }, { ...plain, speakers }).body;
}

const oneLine = (text: string) => text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
/** Without word joiners, and without the spaces around a paragraph, which readers remove. */
const seen = (html: string) =>
  html
    .toWellFormed()
    .replaceAll('\u2060', '')
    .replace(/\s+(?=<\/)/gu, '');

test.each(Object.entries(markdownReaders))('a reader of %s reads names and words as text', (_reader, read) => {
  fc.assert(
    fc.property(hostileTexts, hostileTexts, hostileTexts, (name, text, room) => {
      const blocks = read(said('md', `/${room}`, [name, text]));
      const [title, roomItem, , , language, turnBlock, ...others] = blocks.map(seen);
      expect(others).toEqual([]);
      expect(title).toBe(seen(`<h1>Transcript of ${escaped(oneLine(`/${room}`))}</h1>`));
      expect(roomItem).toBe(seen(`<p>Room: ${escaped(oneLine(`/${room}`))}</p>`));
      expect(language).toBe('<p>Language: en-US</p>');
      const who = said('txt', '/', [name, '']).slice('[00:00:00] '.length, -': \n'.length);
      expect(turnBlock).toBe(seen(`<p><strong>${escaped(who)}</strong> [00:00:00] ${escaped(oneLine(text))}</p>`));
    }),
    { numRuns: 500 },
  );
});

test.each(Object.entries(markdownReaders))(
  'a reader of %s makes no link of what may be an address',
  (_reader, read) => {
    const addresses = [
      ...['1.2.3.4', '1.2.3.4:80', 'xe\u0301\u0301.com', 'q\u0301.com', '\u0915\u094d.com', '😀.com', 'ⓐ.com'],
      ...['a+.com', 'a=.com', 'a*.com', 'a%.com', "a'.com", 'Ⅷ.com', 'a.co.uk', 'xn--p1ai.xn--p1ai', 'foo.рф', 'www.a'],
      ...[
        '//1.2.3.4',
        'http://1.2.3.4',
        'x@1.2.3.4',
        'a.b.c.com',
        'a\u3002com',
        'a．com',
        '..com',
        'a.&com',
        'ａ@b.com',
        ' \ufeff.com',
        'a.\ufeffcom',
      ],
    ];
    const lines = addresses.map((address) => [address, `at ${address}, (${address}) or ${address}.`] as const);
    for (const block of read(said('md', '/1.2.3.4', ...lines))) expect(block).not.toMatch(/<(a|link)\b/);
  },
);

test('ffmpeg reads the names and words of an srt file as text, without tags and positions', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'subtitles-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const texts = fc.sample(hostileTexts, { numRuns: 400, seed: 38 }).map((text) => `a ${text} z`);
  const lines = [
    ...['<script>x</script>', '<font color="red">Ada</font>', '{\\an8}Ada', '<i>Ada', 'A\\NB', '&lt;b&gt;'],
    ...texts,
  ].map((text) => [text, `Says ${text}.`] as const);
  await writeFile(path.join(folder, 'in.srt'), said('srt', '/x', ...lines).toWellFormed());
  await runFfmpeg('-i', path.join(folder, 'in.srt'), path.join(folder, 'out.ass'));
  const events = (await readFile(path.join(folder, 'out.ass'), 'utf8')).matchAll(/^Dialogue: (?:[^,]*,){9}(.*)$/gm);
  const plain = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const expected = said('txt', '/x', ...lines)
    .split('\n')
    .slice(0, -1);
  expect(Array.from(events, ([, text = '']) => plain(text))).toEqual(
    expected.map((line) => plain(line.toWellFormed().replace(/^\[[\d:]+\] /, ''))),
  );
});

test('what no reader here knows is no markup, either: entities in srt, and mathematics of GitHub in md', () => {
  expect(said('srt', '/x', ['&lt;b&gt;', '&#60;i> R&D & Co.'])).toContain('＆lt;b＆gt;: ＆#60;i＞ R&D & Co.\n');
  expect(said('md', '/x', ['$x$', '$$y$$'])).toContain('**\\$x\\$** [00:00:00] \\$\\$y\\$\\$\n');
});
