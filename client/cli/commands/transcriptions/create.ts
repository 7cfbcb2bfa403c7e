import type { Command } from 'commander';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, optionOf } from '../../options.ts';
import { parameters } from '../../parameters.ts';
import { transcriptionDetails } from './show.ts';
import { type WaitFlags, waitOptions, withProgress } from './wait.ts';

/** Adds `transcriptions create`. */
export function addCreate(parent: Command, cli: Cli): void {
  const command = parent
    .command('create')
    .description(
      'Transcribe a recording. Prints the id of the transcription, or with --wait the finished transcription.',
    )
    .argument('<recording-id>', 'Identifier of the recording.');
  for (const option of [...waitOptions(), ...parameters.createTranscription.map(optionOf)]) command.addOption(option);
  command
    .addHelpText(
      'after',
      examples('$ roomscribe transcriptions create \\', '    0b5cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10 --wait'),
    )
    .action(async (recordingId: string, { idempotencyKey, ...flags }: WaitFlags & { idempotencyKey?: string }) => {
      const output = outputOf(cli, command);
      if (!flags.wait) {
        const created = await withClient(cli, command, ({ transcriptions }) =>
          transcriptions.create({ recordingId }, { idempotencyKey, signal: cli.signal }),
        );
        output.print(created, () => created.transcriptionId);
        output.note(
          `In progress. To wait for it, run: roomscribe transcriptions get ${created.transcriptionId} --wait`,
        );
        return;
      }
      const unseen = `The transcription can exist. Run: roomscribe transcriptions list --recording-id ${recordingId}`;
      const transcription = await withClient(cli, command, ({ transcriptions }) =>
        withProgress(cli, flags, { output, unseen }, (wait) =>
          transcriptions.createAndWait({ recordingId }, { idempotencyKey, ...wait }),
        ),
      );
      output.print(transcription, () => transcriptionDetails(transcription));
    });
}
