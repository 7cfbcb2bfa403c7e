import { Logging, LogLevel } from 'mediabunny';

// What is used of mediabunny. It is large, and most messages do without it, so it is read when it is first needed
// (docs/decisions/0096-chunks.md).

// biome-ignore lint/performance/noBarrelFile: a chunk is the library, and bundles leave out what is not named here
export {
  ADTS,
  CustomSource,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  FLAC,
  FlacOutputFormat,
  Input,
  MP3,
  MP4,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OGG,
  OggOutputFormat,
  Output,
  QTFF,
  StreamTarget,
  WAVE,
  WavOutputFormat,
} from 'mediabunny';

// It writes warnings about odd files to the console, which is the log of a function.
Logging.level = LogLevel.Silent;
