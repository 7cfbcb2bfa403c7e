import { stageNames } from '../../infra/stages.ts';
import { readCommandLine, wholeNumber } from '../shared/command-line.ts';
import { errorMessage } from '../shared/error-details.ts';
import { openProgress } from '../shared/progress-bar.ts';
import { UserError } from '../shared/user-error.ts';
import {
  countMessages,
  type DeploymentQueues,
  peekDeadLetters,
  queueNamesOf,
  redriveDeadLetters,
} from './dead-letters.ts';
import { explainAwsError } from './explain-aws-error.ts';
import { queuesOfRunner, queuesOfStage } from './queues.ts';
import { readTarget } from './target.ts';

// Entry point of `npm run dlq`, which lists dead letters and redrives them (docs/operations/dead-letters.md).

const usage = `npm run dlq -- list|peek|redrive [queue] --stage NAME

  list                 shows the number of messages and dead letters of each queue
  peek QUEUE           shows dead letters of a queue without removing them
  redrive QUEUE        moves the dead letters of a queue back to the queue

  --stage NAME         the stage (${stageNames.join(', ')}), in the account and region of your AWS credentials
  --data-dir DIR       the data directory of a running npm start, instead of a stage
  --max N              how many dead letters peek shows (default 10)
  --body               peek also shows message bodies, which may contain names of people
  --help               shows this text`;

const maxPeek = 1000;

type Flags = ReturnType<typeof readFlags>;

function readFlags(args: string[]) {
  const { values, positionals } = parse(args);
  const maximum = wholeNumber('max', values.max, 1, maxPeek);
  const [command = '', queue, ...rest] = positionals;
  if (rest.length > 0) throw new UserError(`Too many arguments: "${rest.join(' ')}". Name one queue.\n\n${usage}`);
  return { ...values, command, queue, maximum };
}

function parse(args: readonly string[]) {
  return readCommandLine(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        stage: { type: 'string' },
        'data-dir': { type: 'string' },
        max: { type: 'string', default: '10' },
        body: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    usage,
  );
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

async function list(_flags: Flags, deployment: DeploymentQueues): Promise<void> {
  const counts = await countMessages(deployment);
  const rows = [
    ['queue', 'messages', 'dead letters'],
    ...counts.map(({ queue, messages, deadLetters }) => [queue, String(messages), String(deadLetters)]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('   '),
    );
  }
}

async function peek(flags: Flags, deployment: DeploymentQueues): Promise<void> {
  const queue = readQueueName(flags, deployment);
  const messages = await peekDeadLetters(deployment, queue, flags.maximum);
  for (const { MessageId, Body = '', Attributes = {} } of messages) {
    const sentAt = new Date(Number(Attributes.SentTimestamp)).toISOString();
    console.log([MessageId, sentAt, `${Body.length} characters`, summarize(Body)].join('   '));
    if (flags.body) console.log(`  ${Body}`);
  }
  console.log(
    messages.length === 0 ? `${queue} has no dead letters.` : '\nOther readers see these messages again in 30 seconds.',
  );
}

/** The parts of a message that name no person: its type and its organization. */
function summarize(body: string): string {
  try {
    const { type, organizationId } = JSON.parse(body) as Record<string, unknown>;
    return [type, organizationId].filter((part) => typeof part === 'string').join('   ');
  } catch {
    return 'not JSON';
  }
}

async function redrive(flags: Flags, deployment: DeploymentQueues): Promise<void> {
  const queue = readQueueName(flags, deployment);
  const progress = openProgress();
  const moved = await redriveDeadLetters(deployment, queue, (done, total) =>
    progress.show(`Redriving dead letters of ${queue}`, done, total),
  );
  progress.end();
  console.log(
    moved === 0
      ? `${queue} has no dead letters.`
      : `Dead letters moved back to ${queue}: ${moved}. A message that fails five more times becomes a dead letter again.`,
  );
}

const commands: Readonly<Record<string, typeof list>> = { list, peek, redrive };

try {
  const flags = readFlags(process.argv.slice(2));
  const command = Object.hasOwn(commands, flags.command) ? commands[flags.command] : undefined;
  if (flags.help) console.log(usage);
  else if (!command)
    throw new UserError(`${flags.command ? `There is no command "${flags.command}".\n\n` : ''}${usage}`);
  else await command(flags, await findQueues(flags));
} catch (thrown) {
  const error = explainAwsError(thrown);
  console.error(error instanceof UserError ? error.message : `The command failed: ${errorMessage(error)}`);
  process.exitCode = 1;
}
