import { idsOf } from '../shared/contracts/message-ids.ts';
import { commandLine, wholeNumber } from '../tools/shared/command-line.ts';
import type { Progress } from '../tools/shared/progress-bar.ts';
import { UserError } from '../tools/shared/user-error.ts';
import { reasonOf } from './dead-letter-reasons.ts';
import {
  countMessages,
  type DeploymentQueues,
  peekDeadLetters,
  queueNamesOf,
  redriveDeadLetters,
  visibilityTimeoutSeconds,
} from './dead-letters.ts';
import { explainAwsError } from './explain-aws-error.ts';
import { queuesOfRunner, queuesOfStage } from './queues.ts';
import { dataDirOption, readTarget, stageOption, type TargetOptions } from './target.ts';

const maxPeek = 1000;

/** Prints lines and shows progress to the operator. */
type Terminal = Progress & { readonly print: (line: string) => void };
type PeekOptions = TargetOptions & { readonly max: number; readonly body?: true };

/** Runs a command line of `npm run dlq`. Throws a `UserError` for problems that the operator can fix. */
export async function runDlq(args: readonly string[], terminal: Terminal): Promise<void> {
  const program = commandLine('npm run dlq --', 'Shows dead letters, and moves them back to their queues.');
  const add = (name: string, description: string) =>
    program.command(name).description(description).addOption(stageOption()).addOption(dataDirOption());
  const queueArgument = ['<queue>', 'the name of the queue, which the command list shows'] as const;
  add('list', 'Shows the number of messages and dead letters of each queue.').action((options: TargetOptions) =>
    withQueues(options, (deployment) => list(deployment, terminal)),
  );
  add('peek', 'Shows dead letters of a queue and their reasons, without removing them.')
    .argument(...queueArgument)
    .option('--max <n>', 'how many dead letters it shows', wholeNumber('--max', 1, maxPeek), 10)
    .option('--body', 'also show message bodies, which may contain names of people')
    .action((queue: string, options: PeekOptions) =>
      withQueues(options, (deployment) => peek(checkedQueue(queue, deployment), options, deployment, terminal)),
    );
  add('redrive', 'Moves the dead letters of a queue back to the queue.')
    .argument(...queueArgument)
    .action((queue: string, options: TargetOptions) =>
      withQueues(options, (deployment) => redrive(checkedQueue(queue, deployment), deployment, terminal)),
    );
  await program.parseAsync(args, { from: 'user' });
}

async function withQueues(options: TargetOptions, run: (deployment: DeploymentQueues) => Promise<void>): Promise<void> {
  const target = readTarget(options);
  try {
    await run(await ('dataDir' in target ? queuesOfRunner(target.dataDir) : queuesOfStage(target.stage)));
  } catch (error) {
    throw explainAwsError(error);
  }
}

function checkedQueue(queue: string, deployment: DeploymentQueues): string {
  const names = queueNamesOf(deployment);
  if (names.includes(queue)) return queue;
  throw new UserError(`There is no queue "${queue}". Queues: ${names.join(', ')}.`);
}

async function list(deployment: DeploymentQueues, { print }: Terminal): Promise<void> {
  const counts = await countMessages(deployment);
  const rows = [
    ['queue', 'messages', 'dead letters', 'hidden'],
    ...counts.map(({ queue: name, messages, deadLetters: { total, hidden } }) => [
      name,
      ...[messages, total, hidden].map(String),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    print(cells.join('   '));
  }
}

async function peek(
  queue: string,
  { max, body }: PeekOptions,
  deployment: DeploymentQueues,
  { print }: Terminal,
): Promise<void> {
  const { messages, hidden } = await peekDeadLetters(deployment, queue, max);
  for (const message of messages) {
    const { MessageId, Body = '', Attributes = {} } = message;
    const sentAt = new Date(Number(Attributes.SentTimestamp)).toISOString();
    print([MessageId, sentAt, `${Body.length} characters`, summarize(Body)].join('   '));
    const reason = await reasonOf(deployment, queue, message);
    if (reason !== undefined) print(`  reason: ${reason}`);
    if (body) print(`  ${Body}`);
  }
  if (messages.length > 0)
    print(`\nThese messages are now hidden, also from redrive, for ${visibilityTimeoutSeconds} seconds.`);
  if (hidden > 0) throw stillHidden(queue, hidden);
  if (messages.length === 0) print(`${queue} has no dead letters.`);
}

/** The ids of a message, which name no person. */
function summarize(body: string): string {
  const { type, organizationId, eventId, roomSessionId, recordingId, webhookId } = idsOf(body);
  const ids = [type, organizationId, eventId, roomSessionId, recordingId, webhookId].filter(
    (part) => part !== undefined,
  );
  return ids.length > 0 ? ids.join('   ') : 'no ids';
}

async function redrive(queue: string, deployment: DeploymentQueues, { print, show, end }: Terminal): Promise<void> {
  const { moved, undated, hidden } = await redriveDeadLetters(deployment, queue, (done, total) =>
    show(`Redriving dead letters of ${queue}`, done, total),
  );
  end();
  if (moved > 0)
    print(
      `Dead letters moved back to ${queue}: ${moved}. A message that fails five more times becomes a dead letter again.`,
    );
  if (undated > 0)
    print(
      `Of these, moved without the time when they were first sent: ${undated}. They had ten attributes already, or no room ` +
        'for another one, so they count as new arrivals.',
    );
  if (hidden > 0) throw stillHidden(queue, hidden);
  if (moved === 0) print(`${queue} has no dead letters.`);
}

function stillHidden(queue: string, count: number): UserError {
  return new UserError(
    `Dead letters of ${queue} that are hidden for up to ${visibilityTimeoutSeconds} seconds: ${count}. ` +
      'Another peek, redrive or reader received them a moment ago. Wait, and run the command again.',
  );
}
