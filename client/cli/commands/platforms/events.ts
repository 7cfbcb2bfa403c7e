import type { Command } from 'commander';
import type { ListRefusedEvents, RefusedEvent } from '../../../types.ts';
import type { Cli } from '../../cli.ts';
import { examples } from '../../options.ts';
import { plain, time } from '../../output/format.ts';
import { parameters } from '../../parameters.ts';
import { showsList } from '../common/list.ts';

/** Adds `events refused`. */
export function addEvents(program: Command, cli: Cli): void {
  const events = program
    .command('events')
    .description('The events that your platform sends.')
    .addHelpText('after', examples('$ roomscribe events refused'));
  const command = events
    .command('refused')
    .description('List the events of the last 14 days that the service refused, and why.');
  showsList(command, cli, {
    parameters: parameters.listRefusedEvents,
    nothing: 'No refused events.',
    list: (client, query, options) => client.events.listRefused(query as ListRefusedEvents, options),
    columns: () => [
      { header: 'RECEIVED (UTC)', value: ({ receivedAt }) => time(receivedAt) },
      { header: 'TYPE', value: ({ type }) => textOf(type) },
      { header: 'EVENT', value: ({ eventId }) => textOf(eventId), mayBeCut: true },
      { header: 'REASONS', value: reasonsOf, mayBeCut: true },
    ],
  }).addHelpText('after', examples('$ roomscribe events refused', '$ roomscribe events refused --all --json'));
}

function textOf(value: string | null): string {
  return value === null ? '-' : plain(value);
}

function reasonsOf({ reasons }: RefusedEvent): string {
  return reasons.map(({ path, message }) => plain(`${path} ${message}`.trim())).join('; ');
}
