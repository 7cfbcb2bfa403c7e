import { stageNames } from '../../infra/stages.ts';
import { idsOf } from '../../shared/contracts/message-ids.ts';
import { readOperatorCommand, wholeNumber } from '../shared/command-line.ts';
import type { Progress } from '../shared/progress-bar.ts';
import { UserError } from '../shared/user-error.ts';
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
import { readTarget } from './target.ts';

const usage = `npm run dlq -- list|peek|redrive [queue] --stage NAME

  list                 shows the number of messages and dead letters of each queue
  peek QUEUE           shows dead letters of a queue and their reasons, without removing them
  redrive QUEUE        moves the dead letters of a queue back to the queue

  --stage NAME         the stage (${stageNames.join(', ')}), in the account and region of your AWS credentials
  --data-dir DIR       the data directory of a running npm start, instead of a stage
  --max N              how many dead letters peek shows (default 10)
  --body               peek also shows message bodies, which may contain names of people
  --help               shows this text`;

const maxPeek = 1000;

/** Prints lines and shows progress to the operator. */
type Terminal = Progress & { readonly print: (line: string) => void };
type Flags = ReturnType<typeof readFlags>;
type Command = (flags: Flags, deployment: DeploymentQueues, terminal: Terminal) => Promise<void>;

/** Runs a command line of `npm run dlq`. Throws a `UserError` for problems that the operator can fix. */
export async function runDlq(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args);
  if (flags.help) return terminal.print(usage);
  const command = Object.hasOwn(commands, flags.command) ? commands[flags.command] : undefined;
  if (!command) throw new UserError(`${flags.command ? `There is no command "${flags.command}".\n\n` : ''}${usage}`);
  try {
    await command(flags, await findQueues(flags), terminal);
  } catch (error) {
    throw explainAwsError(error);
  }
}

function readFlags(args: readonly string[]) {
  const options = { max: { type: 'string', default: '10' }, body: { type: 'boolean', default: false } } as const;
  const { values, positionals } = readOperatorCommand(args, options, usage);
  const maximum = wholeNumber('--max', 1, maxPeek)(values.max);
  const [command = '', queue, ...rest] = positionals;
  if (rest.length > 0) throw new UserError(`Too many arguments: "${rest.join(' ')}". Name one queue.\n\n${usage}`);
  return { ...values, command, queue, maximum };
}

function findQueues(flags: Flags): Promise<DeploymentQueues> {
  const target = readTarget(flags);
  return 'dataDir' in target ? queuesOfRunner(target.dataDir) : queuesOfStage(target.stage);
}

function readQueueName({ queue, command }: Flags, deployment: DeploymentQueues): string {
  const names = queueNamesOf(deployment);
  if (queue !== undefined && names.includes(queue)) return queue;
  const problem = queue === undefined ? `${command} requires a queue.` : `There is no queue "${queue}".`;
  throw new UserError(`${problem} Queues: ${names.join(', ')}.`);
}

const list: Command = async ({ queue }, deployment, { print }) => {
  if (queue !== undefined) throw new UserError(`list shows all queues. Leave out "${queue}".`);
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
};

const peek: Command = async (flags, deployment, { print }) => {
  const queue = readQueueName(flags, deployment);
  const { messages, hidden } = await peekDeadLetters(deployment, queue, flags.maximum);
  for (const message of messages) {
    const { MessageId, Body = '', Attributes = {} } = message;
    const sentAt = new Date(Number(Attributes.SentTimestamp)).toISOString();
    print([MessageId, sentAt, `${Body.length} characters`, summarize(Body)].join('   '));
    const reason = await reasonOf(deployment, queue, message);
    if (reason !== undefined) print(`  reason: ${reason}`);
    if (flags.body) print(`  ${Body}`);
  }
  if (messages.length > 0)
    print(`\nThese messages are now hidden, also from redrive, for ${visibilityTimeoutSeconds} seconds.`);
  if (hidden > 0) throw stillHidden(queue, hidden);
  if (messages.length === 0) print(`${queue} has no dead letters.`);
};

/** The ids of a message, which name no person. */
function summarize(body: string): string {
  const { type, organizationId, eventId, roomSessionId, recordingId, webhookId } = idsOf(body);
  const ids = [type, organizationId, eventId, roomSessionId, recordingId, webhookId].filter(
    (part) => part !== undefined,
  );
  return ids.length > 0 ? ids.join('   ') : 'no ids';
}

const redrive: Command = async (flags, deployment, { print, show, end }) => {
  const queue = readQueueName(flags, deployment);
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
};

function stillHidden(queue: string, count: number): UserError {
  return new UserError(
    `Dead letters of ${queue} that are hidden for up to ${visibilityTimeoutSeconds} seconds: ${count}. ` +
      'Another peek, redrive or reader received them a moment ago. Wait, and run the command again.',
  );
}

const commands: Readonly<Record<string, Command>> = { list, peek, redrive };
