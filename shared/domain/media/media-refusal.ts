/** Why a media file cannot be transcribed. */
export type MediaRefusal =
  /** The bytes are not of a known container, whatever the name of the file says. */
  | 'not_media'
  /** The file has no audio track. */
  | 'no_audio'
  /** The audio is encrypted. */
  | 'encrypted'
  /** The file ends before what its header declares. */
  | 'truncated'
  /** The file contradicts itself, or has more packets than a real file. */
  | 'unreadable'
  /** Reading the file takes more reads or memory than its reader may use. */
  | 'too_scattered'
  /** No container that Transcribe takes can carry the codec without decoding it. */
  | 'unsupported_codec'
  /** It has another number of channels than the options say. */
  | 'wrong_channels'
  /** Longer than a recording may be. */
  | 'too_long'
  /** Larger than a recording may be. */
  | 'too_large'
  /** The file was replaced or removed while it was read. */
  | 'replaced';

/** A media file that cannot be read or prepared, with the reason. Reading it again has the same result. */
export class MediaError extends Error {
  readonly code: MediaRefusal;

  constructor(code: MediaRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MediaError';
    this.code = code;
  }
}
