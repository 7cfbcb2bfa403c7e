import type { Command } from 'commander';
import { type Cli, nextCommand, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, optionOf } from '../../options.ts';
import { parameters } from '../../parameters.ts';
import { transcriptionDetails } from './show.ts';
import { addTranscriptionOptions, type OptionFlags, transcriptionOptionsOf } from './transcription-options.ts';
import { addWaitOptions, type WaitFlags, withProgress } from './wait.ts';

/** Adds `transcriptions create`. */
export function addCreate(parent: Command, cli: Cli): void {
  const command = parent
    .command('create')
    .description(
      'Transcribe a recording. Prints the id of the transcription, or with --wait the finished transcription.',
    )
    .argument('<recording-id>', 'Identifier of the recording.');
  addTranscriptionOptions(command);
  addWaitOptions(command);
  for (const option of parameters.createTranscription.map(optionOf)) command.addOption(option);
  command
    .addHelpText(
      'after',
      examples(
        '$ roomscribe transcriptions create \\',
        '    0b5cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10 --wait',
        '$ roomscribe transcriptions create \\',
        '    0b5cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10 --language en-US --redact NAME,PHONE',
      ),
    )
    .action(
      async (
        recordingId: string,
        { idempotencyKey, ...flags }: WaitFlags & OptionFlags & { idempotencyKey?: string },
      ) => {
        const options = transcriptionOptionsOf(flags);
        const recording = { recordingId, ...(options && { options }) };
        const output = outputOf(cli, command);
        if (!flags.wait) {
          const created = await withClient(cli, command, ({ transcriptions }) =>
            transcriptions.create(recording, { idempotencyKey, signal: cli.signal }),
          );
          output.print(created, () => created.transcriptionId);
          const wait = nextCommand(command, `transcriptions get ${created.transcriptionId} --wait`);
          output.note(`In progress. To wait for it, run: ${wait}`);
          return;
        }
        const list = nextCommand(command, `transcriptions list --recording-id ${recordingId}`);
        const unseen = `The transcription can exist. Run: ${list}`;
        const transcription = await withClient(cli, command, ({ transcriptions }) =>
          withProgress(cli, command, { output, unseen }, (wait) =>
            transcriptions.createAndWait(recording, { idempotencyKey, ...wait }),
          ),
        );
        output.print(transcription, () => transcriptionDetails(transcription));
      },
    );
}
