import type { Command } from 'commander';
import type { ListDeliveries, ListWebhooks } from '../../../types.ts';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, idArgument } from '../../options.ts';
import { parameters } from '../../parameters.ts';
import { showsList } from '../common/list.ts';
import { addCreate } from './create.ts';
import { addDelete } from './delete.ts';
import { addReplay } from './replay.ts';
import { addRotate } from './rotate.ts';
import { deliveryColumns, webhookColumns, webhookDetails } from './show.ts';
import { addTest } from './test.ts';
import { addUpdate } from './update.ts';

const id = '9226ec25-8833-431d-82bc-05dbfd0728fb';

/** Adds `webhooks` and its commands. */
export function addWebhooks(program: Command, cli: Cli): void {
  const webhooks = program
    .command('webhooks')
    .description('Have notices sent to your addresses: create, test and change webhooks, and see deliveries.')
    .addHelpText('after', examples('$ roomscribe webhooks create https://shop.example.com/hooks'));
  addCreate(webhooks, cli);
  addList(webhooks, cli);
  addGet(webhooks, cli);
  addUpdate(webhooks, cli);
  addRotate(webhooks, cli);
  addTest(webhooks, cli);
  addDeliveries(webhooks, cli);
  addReplay(webhooks, cli);
  addDelete(webhooks, cli);
}

function addList(parent: Command, cli: Cli): void {
  const command = parent.command('list').description('List the webhooks, the oldest first.');
  showsList(command, cli, {
    parameters: parameters.listWebhooks,
    columns: () => webhookColumns,
    nothing: 'No webhooks.',
    list: (client, query, options) => client.webhooks.list(query as ListWebhooks, options),
  }).addHelpText('after', examples('$ roomscribe webhooks list', '$ roomscribe webhooks list --all --json'));
}

function addGet(parent: Command, cli: Cli): void {
  const command = parent
    .command('get')
    .description('Show a webhook, how its deliveries go, and how far a replay has come.')
    .addArgument(idArgument('<webhook-id>', 'Identifier of the webhook.'))
    .addHelpText('after', examples(`$ roomscribe webhooks get ${id}`));
  command.action(async (webhookId: string) => {
    const output = outputOf(cli, command);
    const webhook = await withClient(cli, command, ({ webhooks }) => webhooks.get(webhookId, { signal: cli.signal }));
    output.print(webhook, () => webhookDetails(webhook));
  });
}

function addDeliveries(parent: Command, cli: Cli): void {
  const command = parent
    .command('deliveries')
    .description('List the deliveries of a webhook, the latest notice first: how often and when each is tried.')
    .addArgument(idArgument('<webhook-id>', 'Identifier of the webhook.'));
  showsList(command, cli, {
    parameters: parameters.listWebhookDeliveries,
    columns: () => deliveryColumns,
    nothing: 'No deliveries.',
    list: (client, query, options) =>
      client.webhooks.listDeliveries(command.args[0] ?? '', query as ListDeliveries, options),
  }).addHelpText('after', examples(`$ roomscribe webhooks deliveries ${id}`));
}
