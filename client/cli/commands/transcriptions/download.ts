import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Command, Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import type { TranscriptFormat } from '../../../types.ts';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, idArgument, optionOf } from '../../options.ts';
import { printable } from '../../output/text.ts';
import { type Parameter, parameters } from '../../parameters.ts';
import { Problem, usageProblem } from '../../problems.ts';

type Flags = { readonly format?: TranscriptFormat; readonly output?: string; readonly force?: boolean };

const formatParameter = parameters.createAccessLink.find(({ name }) => name === 'format') as Parameter;

/** Adds `transcriptions download`. */
export function addDownload(parent: Command, cli: Cli): void {
  const command = parent
    .command('download')
    .description('Write a transcript to stdout, or completely to a file.')
    .addArgument(idArgument('<transcription-id>', 'Identifier of the transcription.'))
    .addOption(optionOf(formatParameter))
    .addOption(
      new Option('-o, --output <file>', 'File, or - for stdout. Without --format, its extension sets the format.'),
    )
    .addOption(new Option('--force', 'Overwrite an existing file.'));
  command
    .addHelpText(
      'after',
      examples(
        '$ roomscribe transcriptions download \\',
        '    9226ec25-8833-431d-82bc-05dbfd0728fb --output standup.vtt',
      ),
    )
    .action(async (id: string, { format, output: file = '-', force }: Flags) => {
      const output = outputOf(cli, command);
      const isToFile = file !== '-';
      if (isToFile) await requireWritable(file, force);
      const wanted = format ?? (isToFile ? formatOf(file) : output.isJson ? 'json' : undefined);
      const text = await withClient(cli, command, ({ transcriptions }) =>
        transcriptions.downloadText(id, { format: wanted, signal: cli.signal }),
      );
      if (!isToFile) {
        cli.progress.stop();
        cli.stdout.write(cli.stdout.isTTY ? printable(text) : text);
        return;
      }
      await write(file, text);
      output.print({ file }, () => '');
      output.note(`Written to ${file}.`);
    });
}

/** Throws if the file cannot be written. Refuses devices, because writing renames a new file to this path. */
async function requireWritable(file: string, force = false): Promise<void> {
  if (file === '') throw usageProblem('--output must name a file.');
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw notWritten(file, error);
  });
  if (found && !found.isFile()) throw usageProblem(`${file} is not a file.`, 'Choose a file, or leave --output out.');
  if (found && !force)
    throw usageProblem(`${file} already exists.`, 'Choose another file, or overwrite it with --force.');
  const folder = path.dirname(file);
  await stat(folder).catch((error) => {
    throw notWritten(file, error);
  });
}

/** The format of the file's extension. Undefined without an extension, which means Markdown. */
function formatOf(file: string): TranscriptFormat | undefined {
  const ending = path.extname(file).slice(1).toLowerCase();
  if (ending === '') return undefined;
  if (formatParameter.choices?.includes(ending)) return ending as TranscriptFormat;
  throw usageProblem(
    `The extension of ${file} is not a format.`,
    `Add --format: ${formatParameter.choices?.join(', ')}.`,
  );
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(file, text);
  } catch (cause) {
    throw notWritten(file, cause as NodeJS.ErrnoException);
  }
}

function notWritten(file: string, cause: NodeJS.ErrnoException): Problem {
  const why = cause.code === 'ENOENT' ? `the folder ${path.dirname(file)} does not exist` : cause.code;
  return new Problem('unexpected', `${file} cannot be written: ${why}.`, { code: 'file_not_written', cause });
}
