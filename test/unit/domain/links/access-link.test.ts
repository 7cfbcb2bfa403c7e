import { describe, expect, test } from 'vitest';
import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { downloadableFile } from '#shared/domain/links/access-link.ts';
import { contentTypes } from '#shared/domain/transcriptions/render-transcript.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { TranscriptNotFound } from '#shared/runtime/errors.ts';
import { transcriptionRecord, uuid } from '../../../support/operations/records.ts';

const bucket = 'transcripts';
const inFolder = (file: string) => `live/acme/${uuid(1)}/${file}`;
const withoutRetention = { now: new Date('2026-03-02T09:00:00Z') };
const ready = (facts: Partial<TranscriptionRecord> = {}) => transcriptionRecord({ state: 'ready', ...facts });
const live = (key: string, facts: Partial<TranscriptionRecord> = {}) =>
  ready({ type: 'LIVE_TRANSCRIPTION', filename: null, location: { bucket, key }, ...facts });

test.each([
  ['transcription_not_ready', transcriptionRecord({ state: 'in_progress' })],
  ['transcription_failed', transcriptionRecord({ state: 'failed' })],
  ['self_hosted', ready({ storageType: 'SELF_HOSTED' })],
  ['transcription_not_ready', transcriptionRecord({ storageType: 'SELF_HOSTED', state: 'in_progress' })],
  ['transcription_failed', transcriptionRecord({ storageType: 'SELF_HOSTED', state: 'failed' })],
])('downloadableFile throws %s in every format (%#)', (code, record) => {
  for (const format of [undefined, ...transcriptFormats]) {
    expect(() => downloadableFile(record, format, bucket, withoutRetention)).toThrow(expect.objectContaining({ code }));
  }
});

test.each([ready(), live(inFolder('1.vtt'))])(
  'downloadableFile returns the file until its retention ends (%#)',
  (record) => {
    const linkAt = (time: string, retentionDays?: number) =>
      downloadableFile({ ...record, createdAt: '2026-03-02T09:00:00.000Z' }, undefined, bucket, {
        retentionDays,
        now: new Date(time),
      });
    expect(linkAt('2026-04-01T08:59:59.999Z', 30)).toEqual(
      downloadableFile(record, undefined, bucket, withoutRetention),
    );
    expect(() => linkAt('2026-04-01T09:00:00Z', 30)).toThrow(TranscriptNotFound);
    expect(linkAt('2046-04-01T09:00:00Z')).toEqual(downloadableFile(record, undefined, bucket, withoutRetention));
  },
);

describe('downloadableFile of a recording', () => {
  test('returns a file for every format, each with its own name', () => {
    for (const format of transcriptFormats) {
      expect(downloadableFile(ready(), format, bucket, withoutRetention)).toEqual({
        key: `generated/acme/${uuid(1)}/${uuid(1)}.${format}`,
        filename: `${uuid(1)}.${format}`,
        contentType: contentTypes[format],
      });
    }
  });

  test('returns the md file if no format is requested', () => {
    expect(downloadableFile(ready(), undefined, bucket, withoutRetention)).toEqual(
      downloadableFile(ready(), 'md', bucket, withoutRetention),
    );
  });

  test('never returns the recording itself', () => {
    const record = ready({ location: { bucket, key: 'secret.wav' } });
    expect(downloadableFile(record, undefined, bucket, withoutRetention).key).not.toContain('secret');
  });
});

describe('downloadableFile of a live transcription', () => {
  test.each([
    [inFolder('1.vtt'), 'text/vtt; charset=utf-8', 'vtt'],
    [inFolder('1.MD'), 'text/markdown; charset=utf-8', 'md'],
    [inFolder('1.json'), 'application/json', 'json'],
    [inFolder('1.docx'), 'application/octet-stream', undefined],
    [inFolder('vtt'), 'application/octet-stream', undefined],
  ] as const)('returns the one file that the platform wrote: %s', (key, contentType, format) => {
    const file = { key, filename: key.split('/').at(-1), contentType };
    expect(downloadableFile(live(key), undefined, bucket, withoutRetention)).toEqual(file);
    if (format) expect(downloadableFile(live(key), format, bucket, withoutRetention)).toEqual(file);
  });

  test('throws for any other format and names the available one', () => {
    expect(() => downloadableFile(live(inFolder('1.vtt')), 'srt', bucket, withoutRetention)).toThrow(
      TranscriptNotFound,
    );
    expect(() => downloadableFile(live(inFolder('1.vtt')), 'srt', bucket, withoutRetention)).toThrow('"vtt"');
    expect(() => downloadableFile(live(inFolder('1.docx')), 'md', bucket, withoutRetention)).toThrow(
      TranscriptNotFound,
    );
  });

  test('keeps the file name that the platform chose', () => {
    expect(
      downloadableFile(live(inFolder('1.vtt'), { filename: 'Daily.vtt' }), undefined, bucket, withoutRetention)
        .filename,
    ).toBe('Daily.vtt');
  });

  test.each([
    ...[undefined, { bucket: 'other', key: inFolder('1.vtt') }, { bucket, key: 'live/1.vtt' }],
    ...[`live/acme/${uuid(2)}/1.vtt`, `live/other/${uuid(1)}/1.vtt`, `generated/acme/${uuid(1)}/1.md`].map((key) => ({
      bucket,
      key,
    })),
  ])('throws TranscriptNotFound if the file is at %j', (location) => {
    expect(() => downloadableFile(live('x', { location }), undefined, bucket, withoutRetention)).toThrow(
      TranscriptNotFound,
    );
  });
});
