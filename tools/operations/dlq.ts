import { stageNames } from '../../infra/stages.ts';
import { readCommandLine, wholeNumber } from '../shared/command-line.ts';
import { errorMessage } from '../shared/error-details.ts';
import { openProgress } from '../shared/progress-bar.ts';
import { UserError } from '../shared/user-error.ts';
import { awsProblem } from './aws-problem.ts';
import {
  countMessages,
  type DeadLetterSource,
  peekDeadLetters,
  queueNamesOf,
  redriveDeadLetters,
} from './dead-letters.ts';
import { queuesOfRunner, queuesOfStage } from './queues.ts';
import { whereOf } from './where.ts';

// `npm run dlq`: looks at dead letters, and sends them to their queues again (docs/operations/dead-letters.md).

const usage = `npm run dlq -- list|peek|redrive [queue] --stage NAME

  list                 how many messages and dead letters each queue has
  peek QUEUE           shows some of a queue's dead letters; they stay where they are
  redrive QUEUE        sends a queue's dead letters to the queue again

  --stage NAME         the stage (${stageNames.join(', ')}), in the account and region of your AWS credentials
  --data-dir DIR       instead: the data directory of a running npm start
  --max N              dead letters that peek shows (default 10)
  --body               show what they say, too: it may name people
  --help               show this`;

const maxPeek = 1000;

type Flags = ReturnType<typeof readFlags>;

function readFlags(args: string[]) {
  const { values, positionals } = parse(args);
  const maximum = wholeNumber('max', values.max, 1, maxPeek);
  const [command = '', queue, ...rest] = positionals;
  if (rest.length > 0) throw new UserError(`One queue at a time: "${rest.join(' ')}" is too much.\n\n${usage}`);
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

function findQueues(flags: Flags): Promise<DeadLetterSource> {
  const where = whereOf(flags);
  return 'dataDir' in where ? queuesOfRunner(where.dataDir) : queuesOfStage(where.stage);
}

function queueOf({ queue, command }: Flags, source: DeadLetterSource): string {
  const names = queueNamesOf(source);
  if (queue !== undefined && names.includes(queue)) return queue;
  throw new UserError(
    `${queue === undefined ? `${command} needs a queue` : `There is no queue "${queue}"`}: ${names.join(', ')}.`,
  );
}

async function list(_flags: Flags, source: DeadLetterSource): Promise<void> {
  const counts = await countMessages(source);
  const rows = [['queue', 'messages', 'dead letters'], ...counts.map((each) => Object.values(each).map(String))];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('   '),
    );
  }
}

async function peek(flags: Flags, source: DeadLetterSource): Promise<void> {
  const queue = queueOf(flags, source);
  const messages = await peekDeadLetters(source, queue, flags.maximum);
  for (const { MessageId, Body = '', Attributes = {} } of messages) {
    const sentAt = new Date(Number(Attributes.SentTimestamp)).toISOString();
    console.log([MessageId, sentAt, `${Body.length} characters`, describe(Body)].join('   '));
    if (flags.body) console.log(`  ${Body}`);
  }
  console.log(messages.length === 0 ? `${queue} has no dead letters.` : '\nThey are visible again after 30 seconds.');
}

/** What of a message names nobody: its type, and whose it is. */
function describe(body: string): string {
  try {
    const { type, organizationId } = JSON.parse(body) as Record<string, unknown>;
    return [type, organizationId].filter((part) => typeof part === 'string').join('   ');
  } catch {
    return 'no JSON';
  }
}

async function redrive(flags: Flags, source: DeadLetterSource): Promise<void> {
  const queue = queueOf(flags, source);
  const progress = openProgress();
  const moved = await redriveDeadLetters(source, queue, (done, total) =>
    progress.show(`Sending the dead letters of ${queue} again`, done, total),
  );
  progress.end();
  console.log(
    moved === 0
      ? `${queue} has no dead letters.`
      : `${moved} of ${queue} were sent again. What fails again is back here after five more tries.`,
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
  const error = awsProblem(thrown);
  console.error(error instanceof UserError ? error.message : `It did not work: ${errorMessage(error)}.`);
  process.exitCode = 1;
}
