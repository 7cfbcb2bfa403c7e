import type { Command } from 'commander';
import type { DeliveryFailureCode, WebhookTest } from '../../../types.ts';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, idArgument } from '../../options.ts';
import { Problem } from '../../problems.ts';

/** What a person can do after a failed call of a receiver. */
const remedies: Readonly<Record<DeliveryFailureCode, string>> = {
  answer_not_2xx: 'Your receiver must answer 200 to 299. With 400 or 401, it may have another secret: see its log.',
  redirect: 'The service follows no redirects. Change the address: webhooks update --url.',
  timeout: 'Your receiver must answer within 10 seconds. Let it store the notice, answer, and do the work later.',
  answer_too_large: 'Your receiver must answer with at most 64 KB. An empty body is enough.',
  connection_failed: 'Check that your receiver runs, and that its firewall lets the service in.',
  tls_failed: 'Check the certificate: its name, its end, and that the server sends the whole chain.',
  host_not_found: 'Check the name in the address, and its entry in the DNS.',
  address_not_public: 'The service calls public addresses only. While you develop, use: roomscribe listen',
  webhook_disabled: 'Enable the webhook: webhooks update --enable.',
  notice_gone: 'The notice is older than 30 days.',
};

/** Adds `webhooks test`. */
export function addTest(parent: Command, cli: Cli): void {
  const command = parent
    .command('test')
    .description('Call the webhook once with a test, and say what its receiver answers. Exit code 1 if it fails.')
    .addArgument(idArgument('<webhook-id>', 'Identifier of the webhook.'));
  command
    .addHelpText('after', examples('$ roomscribe webhooks test 9226ec25-8833-431d-82bc-05dbfd0728fb'))
    .action(async (webhookId: string) => {
      const output = outputOf(cli, command);
      const test = await withClient(cli, command, ({ webhooks }) => webhooks.test(webhookId, { signal: cli.signal }));
      if (!test.succeeded) throw failureOf(test);
      output.print(test, () => `The receiver answered ${test.answerCode} in ${test.latencyMs} ms.`);
    });
}

function failureOf({ webhookId, answerCode, latencyMs, failure }: WebhookTest): Problem {
  const code = failure?.code ?? 'answer_not_2xx';
  return new Problem('unexpected', failure?.message ?? 'The test failed.', {
    code,
    hint: remedies[code],
    details: { webhookId, answerCode, latencyMs },
  });
}
