import type { Command } from 'commander';
import type { ListNotices, Notice } from '../../../types.ts';
import type { Cli } from '../../cli.ts';
import { examples } from '../../options.ts';
import { parameters } from '../../parameters.ts';
import { showsList } from '../common/list.ts';

/** Adds `notices`. */
export function addNotices(program: Command, cli: Cli): void {
  const command = program
    .command('notices')
    .description('List what has happened in the last 30 days, the oldest first: what webhooks are told.');
  showsList(command, cli, {
    parameters: parameters.listNotices,
    nothing: 'No notices.',
    list: (client, query, options) => client.notices.list(query as ListNotices, options),
    columns: () => [
      { header: 'CREATED', value: ({ createdAt }) => createdAt },
      { header: 'TYPE', value: ({ type }) => type, mayBeCut: true },
      { header: 'NOTICE', value: ({ id }) => id },
      { header: 'ABOUT', value: subjectOf, mayBeLeftOut: true },
      { header: 'REVISION', value: ({ data }) => String(data.revision), align: 'right', mayBeLeftOut: true },
    ],
  }).addHelpText(
    'after',
    examples(
      '$ roomscribe notices --from 2026-03-01T00:00:00Z',
      '$ roomscribe notices --all --ndjson > notices.ndjson',
    ),
  );
}

/** The id of what a notice is about. */
function subjectOf({ type, data }: Notice): string {
  const ids: Readonly<Record<string, unknown>> = data;
  const [kind = ''] = type.split('.');
  return String(ids[kind === 'room' ? 'roomSessionId' : `${kind}Id`] ?? ids.eventId ?? '-');
}
