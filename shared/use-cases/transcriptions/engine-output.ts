import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import type { Spoken } from '#shared/domain/transcript/transcript.ts';
import { redactedKey } from '#shared/domain/transcriptions/transcript-location.ts';
import type { TranscriptFileStore } from './ports.ts';

/** Above the largest expected output: four hours of speech with speakers and alternatives are about 20 MB of JSON. */
const maxOutputBytes = 32 * 1024 * 1024;

/** What `readOutput` needs. */
export type OutputDependencies = {
  readonly files: Pick<TranscriptFileStore, 'read'>;
  /** Parses the JSON that Transcribe wrote. Returns undefined if it does not have the expected form. */
  readonly parseOutput: (text: string) => Spoken | undefined;
};

/** Reads what Transcribe has written for a job with this output key: only redacted text if it was to redact. `unreadable`: it is too large, or does not have the expected form. */
export async function readOutput(
  { files, parseOutput }: OutputDependencies,
  key: string,
  options: TranscriptionOptions | undefined,
): Promise<Spoken | 'missing' | 'unreadable'> {
  const output = await files.read(options?.redact ? redactedKey(key) : key, maxOutputBytes);
  if (output === 'missing') return output;
  const spoken = output === 'too-large' ? undefined : parseOutput(output.text);
  return spoken ? { ...spoken, languageCode: spoken.languageCode ?? chosenLanguage(options) } : 'unreadable';
}

/** The one language that the options name. Transcribe writes only languages that it has identified. */
function chosenLanguage({ language }: TranscriptionOptions = {}): string | null {
  return typeof language === 'string' && language !== 'auto' ? language : null;
}
