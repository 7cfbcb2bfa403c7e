import type { Failure, FailureCode } from '#shared/contracts/transcriptions/transcription.ts';

const messages: Record<FailureCode, string> = {
  unsupported_media:
    'The recording is in a format that cannot be transcribed. Use AAC, AMR, FLAC, M4A, MKV, MOV, MP3, MP4, Ogg, WebM or WAV.',
  media_unreadable:
    'The recording could not be read. Check that the file is complete and plays, and that it has no key of its own (SSE-C), then upload it again.',
  media_encrypted:
    'The audio of the recording is encrypted. Upload it without encryption and create a new transcription.',
  no_audio: 'The recording has no audio track. Check what the recorder writes, and create a new transcription.',
  recording_missing:
    'The recording is not where its event said, or it was replaced while it was read. Upload it and create a new transcription.',
  recording_too_long:
    'The recording is longer than 24 hours, or is AMR of more than 4 hours. Split it and create a transcription for each part.',
  recording_too_large: 'The recording is larger than 100 GB. Compress or split it and create a new transcription.',
  too_many_tracks:
    'The recording has more than 100 participants, 1 000 files or 1 000 parts. Record fewer of them, or use a mixed file.',
  not_two_channels:
    'The options name the participants of two channels, and the recording does not have two. Create it again without channels.',
  too_many_minutes:
    'The recording is longer than its dates said, and longer than what is left of the minutes of the day. Create it again on the next day.',
  no_speech: 'No speech was found in the recording.',
  vocabulary_not_found:
    'The vocabulary or the filter of the options does not exist, is not ready, or has another language. Choose another one, or ask the operator for it.',
  end_not_reported:
    'The platform did not report the end of the live transcription within 48 hours. If it still does, that end counts.',
  engine_not_enabled:
    'Amazon Transcribe is not enabled in the AWS account of this service. Ask the operator to enable it, then create the transcription again.',
  engine_access_denied:
    'AWS denies this service a permission that it needs to use Amazon Transcribe. Ask the operator to allow it, then create the transcription again.',
  engine_error:
    'The transcription could not be made. Create it again; if that fails too, ask the operator to look into it.',
};

/** True if only the operator can remove the cause, so that an alarm has to tell them. */
export function needsOperator(code: FailureCode): boolean {
  return code === 'engine_not_enabled' || code === 'engine_access_denied';
}

/** The failure that clients see for a code. Its default message says what to do next. */
export function failure(code: FailureCode, message: string = messages[code]): Failure {
  return { code, message };
}
