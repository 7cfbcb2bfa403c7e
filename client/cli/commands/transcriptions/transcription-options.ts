import { type Command, Option } from 'commander';
import type { CreateTranscription } from '../../../types.ts';
import { usageProblem } from '../../problems.ts';

type Options = NonNullable<CreateTranscription['options']>;

/** The options of the command line that say how a recording is transcribed. */
export type OptionFlags = {
  readonly language?: string;
  readonly multiLanguage?: true;
  readonly vocabulary?: string;
  readonly vocabularyFilter?: string;
  readonly redact?: string;
  readonly maxSpeakers?: string;
  readonly channels?: string;
  readonly tracks?: boolean;
};

/** Adds the options that say how a recording is transcribed. The service validates their values. */
export function addTranscriptionOptions(command: Command): void {
  command
    .option('--language <codes>', 'A code such as en-US, several with commas between them, or auto.')
    .option('--multi-language', 'Several languages are spoken.')
    .option('--vocabulary <name>', 'Custom vocabulary. Needs one code in --language.')
    .option('--vocabulary-filter <name:method>', 'Vocabulary filter, and mask, remove or tag. Needs one code.')
    .option('--redact <types>', 'Types of personal data to redact, such as NAME,PHONE, or ALL. Needs one code.')
    .option('--max-speakers <number>', 'The most voices to tell apart in one file, from 2 to 30.')
    .option('--channels <ids>', 'The participants of the two channels of a stereo file, with a comma between them.')
    .addOption(new Option('--tracks', 'Transcribe the tracks of the recording.'))
    .addOption(new Option('--no-tracks', 'Transcribe the mixed file, even if there are tracks.'));
}

/** The options as the API takes them. Undefined if none is given. */
export function transcriptionOptionsOf(flags: OptionFlags): Options | undefined {
  const { language, multiLanguage, vocabulary, vocabularyFilter, redact, maxSpeakers, channels, tracks } = flags;
  const options = {
    ...(language !== undefined && { language: language.includes(',') ? language.split(',') : language }),
    ...(multiLanguage && { multiLanguage }),
    ...(vocabulary !== undefined && { vocabulary }),
    ...(vocabularyFilter !== undefined && { vocabularyFilter: filterOf(vocabularyFilter) }),
    ...(redact !== undefined && { redact: { types: redact.split(',') } }),
    ...(maxSpeakers !== undefined && { maxSpeakers: numberOf(maxSpeakers) }),
    ...(channels !== undefined && { channels: channels.split(',') }),
    ...(tracks !== undefined && { tracks }),
  };
  return Object.keys(options).length > 0 ? (options as Options) : undefined;
}

function filterOf(text: string) {
  const [name, method, ...rest] = text.split(':');
  if (method === undefined || rest.length > 0)
    throw usageProblem(`--vocabulary-filter must be NAME:METHOD, such as rude-words:mask, not "${text}".`);
  return { name, method };
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw usageProblem(`--max-speakers must be a whole number, not "${text}".`);
  return Number(text);
}
