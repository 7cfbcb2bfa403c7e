import type { FailureCode } from '../../../client/types.ts';

/** What each failure code of a transcription means in words, and what the reader can do. */
export const failures: { readonly [code in FailureCode]: { readonly meaning: string; readonly remedy: string } } = {
  unsupported_media: {
    meaning: 'the format or codec cannot be transcribed',
    remedy: 'Record AAC, AMR, FLAC, M4A, MKV, MOV, MP3, MP4, Ogg, WebM or WAV.',
  },
  media_unreadable: {
    meaning: 'the file is broken or cannot be read',
    remedy: 'Check that the file plays. Upload it again without a key of its own, then create a new transcription.',
  },
  media_encrypted: {
    meaning: 'the audio is encrypted',
    remedy: 'Upload the file without encryption, then create a new transcription.',
  },
  no_audio: { meaning: 'the file has no audio track', remedy: 'Check what the recorder writes.' },
  recording_missing: {
    meaning: 'the file is not where the platform said, or was replaced',
    remedy: 'Upload the file, or let the service read it. Then create a new transcription.',
  },
  recording_too_long: {
    meaning: 'the recording is over 24 hours',
    remedy: 'Split the recording, or correct its dates. A file of AMR can have up to 4 hours.',
  },
  recording_too_large: {
    meaning: 'the files are over 100 GB together',
    remedy: 'Compress or split the recording.',
  },
  too_many_tracks: {
    meaning: 'there are over 100 participants, 1 000 files or 1 000 parts',
    remedy: 'Record fewer people, or send a mixed file.',
  },
  not_two_channels: {
    meaning: 'the file does not have the two channels that the options name',
    remedy: 'Create the transcription again without the option channels, or record a stereo file.',
  },
  too_many_minutes: {
    meaning: 'the files are longer than what is left of the minutes of the day',
    remedy: 'Create the transcription again on the next day of UTC.',
  },
  no_speech: {
    meaning: 'no speech was found',
    remedy: 'If somebody spoke, check the microphone. Otherwise there is nothing to do.',
  },
  vocabulary_not_found: {
    meaning: 'the vocabulary or filter does not exist, is not ready, or has another language',
    remedy: 'Choose another one, or ask who operates Roomscribe for it.',
  },
  end_not_reported: {
    meaning: 'the platform did not report the end within 48 hours',
    remedy: 'Wait, or let the platform send the end. The transcription then changes as that event says.',
  },
  engine_not_enabled: {
    meaning: 'Amazon Transcribe is not enabled in the AWS account of Roomscribe',
    remedy: 'Ask who operates Roomscribe to enable it, then create the transcription again.',
  },
  engine_access_denied: {
    meaning: 'AWS denies Roomscribe a permission that it needs to use Amazon Transcribe',
    remedy: 'Ask who operates Roomscribe to allow it, then create the transcription again.',
  },
  engine_error: {
    meaning: 'the recognition failed or took too long',
    remedy: 'Create a new transcription. If that fails too, ask who operates Roomscribe.',
  },
};
