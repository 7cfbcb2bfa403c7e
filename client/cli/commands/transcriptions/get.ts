import type { Command } from 'commander';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, idArgument } from '../../options.ts';
import { transcriptionDetails } from './show.ts';
import { addWaitOptions, type WaitFlags, withProgress } from './wait.ts';

/** Adds `transcriptions get`. */
export function addGet(parent: Command, cli: Cli): void {
  const command = parent
    .command('get')
    .description('Show a transcription. With --wait, wait until it has ended.')
    .addArgument(idArgument('<transcription-id>', 'Identifier of the transcription.'));
  addWaitOptions(command);
  command
    .addHelpText('after', examples('$ roomscribe transcriptions get 9226ec25-8833-431d-82bc-05dbfd0728fb'))
    .action(async (id: string, flags: WaitFlags) => {
      const output = outputOf(cli, command);
      const transcription = await withClient(cli, command, ({ transcriptions }) =>
        flags.wait
          ? withProgress(cli, command, { output, id }, (wait) => transcriptions.wait(id, wait))
          : transcriptions.get(id, { signal: cli.signal }),
      );
      output.print(transcription, () => transcriptionDetails(transcription));
    });
}
