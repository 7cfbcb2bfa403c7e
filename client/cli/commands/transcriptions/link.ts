import type { Command } from 'commander';
import type { CreateAccessLink } from '../../../types.ts';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { addParameters, examples, idArgument } from '../../options.ts';
import { time } from '../../output/format.ts';
import { parameters } from '../../parameters.ts';

const id = '9226ec25-8833-431d-82bc-05dbfd0728fb';

/** Adds `transcriptions link`. */
export function addLink(parent: Command, cli: Cli): void {
  const command = parent
    .command('link')
    .description('Create a link with which anyone can download a transcript until it expires.')
    .addArgument(idArgument('<transcription-id>', 'Identifier of the transcription.'));
  addParameters(command, parameters.createAccessLink);
  command
    .addHelpText('after', examples('$ roomscribe transcriptions link \\', `    ${id} --valid-for-seconds 43200`))
    .action(async (transcriptionId: string, query: CreateAccessLink) => {
      const output = outputOf(cli, command);
      const link = await withClient(cli, command, ({ transcriptions }) =>
        transcriptions.createAccessLink(transcriptionId, { ...query, signal: cli.signal }),
      );
      output.print(link, () => link.accessLink);
      output.note(`Expires at ${time(new Date(link.expires).toISOString())} UTC.`);
    });
}

/** Adds `transcriptions revoke`. */
export function addRevoke(parent: Command, cli: Cli): void {
  const command = parent
    .command('revoke')
    .description('Revoke the links of the API to a transcript. Links of S3 end within an hour, or with its deletion.')
    .addArgument(idArgument('<transcription-id>', 'Identifier of the transcription.'));
  command
    .addHelpText('after', examples(`$ roomscribe transcriptions revoke ${id}`))
    .action(async (transcriptionId: string) => {
      const output = outputOf(cli, command);
      await withClient(cli, command, ({ transcriptions }) =>
        transcriptions.revokeAccessLinks(transcriptionId, { signal: cli.signal }),
      );
      output.print({ transcriptionId }, () => '');
      output.note('The links of the API are revoked. Links of S3 end within an hour.');
    });
}
