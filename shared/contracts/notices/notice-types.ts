import * as z from 'zod/mini';

// What is needed of notices without the schemas of their data, which are large.

/** The types of notices. */
export const noticeTypes = [
  'transcription.started',
  'transcription.finished',
  'transcription.failed',
  'transcription.deleted',
  'transcription.speakers.changed',
  'room.session.started',
  'room.session.ended',
  'recording.received',
  'recording.refused',
  'webhook.disabled',
] as const;
/** A type of notices. */
export type NoticeType = (typeof noticeTypes)[number];

/** Id of a notice, which its repetitions share. Receivers tell by it which notices they know. */
export const NoticeId = z.string().check(z.regex(/^ntc_[A-Za-z0-9_-]{27}$/, 'must be the id of a notice'));
