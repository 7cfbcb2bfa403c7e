import { statSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import type { TranscriptFormat } from '../../../types.ts';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, optionOf } from '../../options.ts';
import { printable } from '../../output/format.ts';
import { type Parameter, parameters } from '../../parameters.ts';
import { Problem, usageProblem } from '../../problems.ts';

type Flags = { readonly format?: TranscriptFormat; readonly output?: string; readonly force?: boolean };

const format = parameters.createAccessLink.find(({ name }) => name === 'format') as Parameter;

/** Adds `transcriptions download`. */
export function addDownload(parent: Command, cli: Cli): void {
  const command = parent
    .command('download')
    .description('Write a transcript to stdout, or to a file: whole or not at all.')
    .argument('<transcription-id>', 'Identifier of the transcription.')
    .addOption(optionOf(format))
    .addOption(new Option('--output <file>', 'The file; its ending is the format if no other is named.'))
    .addOption(new Option('--force', 'Overwrite the file if there is one.'));
  command
    .addHelpText(
      'after',
      examples(
        '$ roomscribe transcriptions download \\',
        '    9226ec25-8833-431d-82bc-05dbfd0728fb --output standup.vtt',
      ),
    )
    .action(async (id: string, flags: Flags) => {
      if (flags.output !== undefined) requireWritable(flags.output, flags.force);
      const options = { format: flags.format ?? formatOf(flags.output), signal: cli.signal };
      const text = await withClient(cli, command, ({ transcriptions }) => transcriptions.downloadText(id, options));
      if (flags.output === undefined) cli.stdout.write(cli.stdout.isTTY ? printable(text) : text);
      else {
        await write(flags.output, text);
        outputOf(cli, command).note(`Written to ${flags.output}.`);
      }
    });
}

/** Only a file may be written over: to rename to a device would put a file in its place. */
function requireWritable(file: string, force = false): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw usageProblem(`${file} is not a file.`, 'Name a file, or leave --output out.');
  if (found && !force)
    throw usageProblem(`${file} exists already.`, 'Name another file, or overwrite it with --force.');
}

function formatOf(file: string | undefined): TranscriptFormat | undefined {
  const ending = path
    .extname(file ?? '')
    .slice(1)
    .toLowerCase();
  return format.choices?.includes(ending) ? (ending as TranscriptFormat) : undefined;
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(file, text);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Problem('unexpected', `${file} cannot be written (${code}).`, { code: 'file_not_written', cause });
  }
}
