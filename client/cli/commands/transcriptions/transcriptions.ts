import type { Command } from 'commander';
import type { ListTranscriptions } from '../../../types.ts';
import type { Cli } from '../../cli.ts';
import { examples } from '../../options.ts';
import { parameters } from '../../parameters.ts';
import { showsList } from '../common/list.ts';
import { addCreate } from './create.ts';
import { addDelete } from './delete.ts';
import { addDownload } from './download.ts';
import { addGet } from './get.ts';
import { addLink, addRevoke } from './link.ts';
import { transcriptionColumns } from './show.ts';
import { addRename, addSpeakers } from './speakers.ts';

/** Adds `transcriptions` and its commands. */
export function addTranscriptions(program: Command, cli: Cli): void {
  const transcriptions = program
    .command('transcriptions')
    .description('Create, list, get, download, share and delete transcriptions, and name their speakers.')
    .addHelpText('after', examples('$ roomscribe transcriptions list --state failed'));
  addCreate(transcriptions, cli);
  addList(transcriptions, cli);
  addGet(transcriptions, cli);
  addDownload(transcriptions, cli);
  addLink(transcriptions, cli);
  addRevoke(transcriptions, cli);
  addSpeakers(transcriptions, cli);
  addRename(transcriptions, cli);
  addDelete(transcriptions, cli);
}

function addList(parent: Command, cli: Cli): void {
  const command = parent.command('list').description('List transcriptions.');
  showsList(command, cli, {
    parameters: parameters.listTranscriptions,
    columns: () => transcriptionColumns,
    nothing: 'No transcriptions.',
    list: (client, query, options) => client.transcriptions.list(query as ListTranscriptions, options),
  }).addHelpText(
    'after',
    examples(
      '$ roomscribe transcriptions list --room-name /team/standup',
      '$ roomscribe transcriptions list --state failed --all --json',
    ),
  );
}
