import type { Command } from 'commander';
import { type Cli, outputOf } from '../../cli.ts';
import { isConfirmed } from '../../confirm.ts';
import { withClient } from '../../connect.ts';
import { examples, idArgument } from '../../options.ts';

/** Adds `transcriptions delete`. */
export function addDelete(parent: Command, cli: Cli): void {
  const command = parent
    .command('delete')
    .description('Delete transcriptions and their files permanently: one immediately, several in the background.')
    .addArgument(idArgument('<transcription-id...>', 'Identifiers of the transcriptions.'))
    .option('-y, --yes', 'Delete without asking.');
  command
    .addHelpText('after', examples('$ roomscribe transcriptions delete 9226ec25-8833-431d-82bc-05dbfd0728fb'))
    .action(async (given: string[], { yes }: { yes?: boolean }) => {
      const output = outputOf(cli, command);
      const ids = [...new Set(given)];
      const [first = '', ...others] = ids;
      const what = others.length === 0 ? `transcription ${first}` : `${ids.length} transcriptions`;
      if (!yes && !(await isConfirmed(cli, `Delete ${what} permanently?`))) {
        output.note('Nothing was deleted.');
        return;
      }
      const options = { signal: cli.signal };
      await withClient(cli, command, ({ transcriptions }) =>
        others.length === 0 ? transcriptions.delete(first, options) : transcriptions.bulkDelete(given, options),
      );
      output.print({ transcriptionIds: ids }, () => '');
      output.note(others.length === 0 ? 'Deleted.' : `${ids.length} transcriptions are being deleted.`);
    });
}
