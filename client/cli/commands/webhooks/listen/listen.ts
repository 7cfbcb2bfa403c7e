import { type Command, Option } from 'commander';
import type { Roomscribe } from '../../../../roomscribe.ts';
import type { Notice, NoticeType } from '../../../../types.ts';
import { type Cli, type Output, outputOf } from '../../../cli.ts';
import { withClient } from '../../../connect.ts';
import { examples, positive } from '../../../options.ts';
import { usageProblem } from '../../../problems.ts';
import { typesOption } from '../fields.ts';
import { type Forwarded, forward, type Target } from './forward.ts';
import { isSecret, newSecret } from './sign.ts';

type Flags = {
  readonly forwardTo: string;
  readonly types?: readonly NoticeType[];
  readonly from?: string;
  readonly everySeconds?: number;
  readonly whereby?: boolean;
};

/** Adds `listen`. */
export function addListen(program: Command, cli: Cli): void {
  const command = program
    .command('listen')
    .description(
      'Forward notices to a receiver on this machine while you develop it, signed as webhooks are. Ends at Ctrl-C.',
    )
    .addOption(new Option('--forward-to <url>', 'Address of your receiver.').makeOptionMandatory())
    .addOption(typesOption('The types to forward, with commas between them. Default: all.'))
    .option('--from <time>', 'Begin with the notices of this time. Default: with those from now on.')
    .addOption(
      new Option('--every-seconds <seconds>', 'The pause between two looks. Default: 2.').argParser(
        positive('--every-seconds'),
      ),
    )
    .option('--whereby', 'Also sign as Whereby signs its webhooks.');
  command
    .addHelpText(
      'after',
      examples(
        '$ roomscribe listen --forward-to http://localhost:3000/hooks',
        '$ export ROOMSCRIBE_WEBHOOK_SECRET=whsec_...',
        '$ roomscribe listen --forward-to http://localhost:3000/hooks \\',
        '    --types transcription.finished --from 2026-03-01T00:00:00Z',
      ),
    )
    .action(async (flags: Flags) => {
      const output = outputOf(cli, command);
      const target = targetOf(cli, flags, output);
      const count = { forwarded: 0, failed: 0 };
      await withClient(cli, command, (client) => forwardAll(client, flags, target, { output, count }));
      output.note(`${count.forwarded} forwarded, ${count.failed} failed.`);
    });
}

function targetOf(cli: Cli, { forwardTo: url, whereby: isWhereby = false }: Flags, output: Output): Target {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password)
    throw usageProblem(`--forward-to must be an http or https URL without a user, not "${url}".`);
  const given = cli.env.ROOMSCRIBE_WEBHOOK_SECRET || undefined;
  if (given !== undefined && !isSecret(given))
    throw usageProblem('ROOMSCRIBE_WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes in base64.');
  const secret = given ?? newSecret();
  if (given === undefined) output.print({ secret }, () => `Your signing secret is ${secret}`);
  const onRetry = (pauseMs: number) =>
    output.note(`Nothing listens at ${address.host}. Trying again in ${pauseMs / 1000} s.`);
  return { url, secret, isWhereby, signal: cli.signal, onRetry };
}

type Report = { readonly output: Output; readonly count: { forwarded: number; failed: number } };

/** Forwards notices, one after the other, until the signal is aborted. */
async function forwardAll(client: Roomscribe, flags: Flags, target: Target, { output, count }: Report): Promise<void> {
  const { types, from, everySeconds = 2 } = flags;
  const { signal } = target;
  output.note(`Waiting for notices. They go to ${target.url}. End with Ctrl-C.`);
  for await (const notice of client.notices.follow({ from, everySeconds, signal })) {
    if (types && !types.includes(notice.type)) continue;
    try {
      const forwarded = await forward(notice, target);
      count[forwarded.failure === null ? 'forwarded' : 'failed']++;
      const { id: noticeId, type, createdAt } = notice;
      output.print({ noticeId, type, createdAt, ...forwarded }, () => lineOf(notice, forwarded));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

function lineOf({ id, type, createdAt }: Notice, { answerCode, latencyMs, failure }: Forwarded): string {
  const outcome = answerCode === null ? `${failure}: not forwarded` : `${answerCode}  ${latencyMs} ms`;
  return `${createdAt}  ${type}  ${id}  ${outcome}`;
}
