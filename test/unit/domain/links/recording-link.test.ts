import { describe, expect, test } from 'vitest';
import { mediaTypeOf, recordingFileKeyOf } from '#shared/domain/links/recording-link.ts';
import { RecordingFileNotFound } from '#shared/runtime/errors.ts';
import { transcriptionRecord } from '../../../support/operations/records.ts';

const bucket = 'recordings';
const { organizationId } = transcriptionRecord();
const at = (name: string) => ({ bucket, key: `${organizationId}/${name}` });
const record = transcriptionRecord({ location: at('mixed.mp4') });
const track = (
  participantId: string,
  name: string,
  source: 'microphone' | 'screen' = 'microphone',
  startDate = '1',
) => ({
  ...{ participantId, source, startDate, location: at(name) },
});
const tracks = [
  track('ada', 'screen.ogg', 'screen', '0'),
  track('ada', 'second.ogg', 'microphone', '2'),
  track('ada', 'first.ogg', 'microphone', '1'),
  track('bob', 'bob.ogg', 'screen'),
];
const keyOf = (facts: Partial<typeof record>, participantId?: string, of = tracks) =>
  recordingFileKeyOf({ ...record, ...facts }, of, participantId, bucket);

describe('the file behind a transcription', () => {
  test('is the mixed one, or the first track of a participant, of the microphone if there is one', () => {
    expect(keyOf({})).toBe(at('mixed.mp4').key);
    expect(keyOf({}, 'ada')).toBe(at('first.ogg').key);
    expect(keyOf({ location: undefined }, 'bob')).toBe(at('bob.ogg').key);
  });

  test.each<[string, Parameters<typeof keyOf>, string]>([
    ['without a mixed file, and says who has tracks', [{ location: undefined }], 'ada, bob'],
    ['of somebody without a track, and says who has one', [{}, 'eve'], 'ada, bob'],
    ['of a recording without any', [{}, 'eve', []], 'It has no tracks'],
    ['of a live transcription', [{ type: 'LIVE_TRANSCRIPTION' }], 'live'],
    ['in another bucket', [{ location: { ...at('a.mp4'), bucket: 'elsewhere' } }], 'folder'],
    ['in the folder of another organization', [{ location: { bucket, key: `${organizationId}x/a.mp4` } }], 'folder'],
    ['outside of its folder by dots', [{ location: at('../other/a.mp4') }], 'folder'],
  ])('is not found %s', (_what, args, message) => {
    expect(() => keyOf(...args)).toThrow(RecordingFileNotFound);
    expect(() => keyOf(...args)).toThrow(message);
  });

  test('names at most twenty of those who have tracks', () => {
    const many = Array.from({ length: 25 }, (_, index) => track(`p-${index}`, 'a.ogg'));
    expect(() => keyOf({ location: undefined }, undefined, many)).toThrow(/p-19, and 5 more\.$/);
  });
});

test.each([
  ['a.mp4', 'audio/mp4', 'audio/mp4'],
  ['a.MP4', 'binary/octet-stream', 'video/mp4'],
  ['a.ogg', undefined, 'audio/ogg'],
  ['a.html', 'text/html', undefined],
  ['a.mp3', 'audio/mpeg; x="text/html"', 'audio/mpeg'],
  ['noextension', undefined, undefined],
])('the media type of %s that S3 calls %s is %s', (key, told, type) => {
  expect(mediaTypeOf(`acme/${key}`, told)).toBe(type);
});
