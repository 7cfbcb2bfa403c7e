import { randomInt } from 'node:crypto';
import { Option } from 'commander';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { commandLine, wholeNumber } from '../shared/command-line.ts';
import { UserError } from '../shared/user-error.ts';

/** The flags of `npm run simulate`. */
export type SimulateFlags = {
  readonly rooms: number;
  readonly sessions: number;
  readonly participants: number;
  readonly seed: number;
  readonly samples: boolean;
  readonly shuffle: boolean;
  readonly duplicate: number;
  readonly organization: string;
  readonly dataDir: string;
};

const maxCount = 100_000;
/** Fits easily into memory. Network samples of everyone take ten times as much. */
const maxParticipants = { withSamples: 10_000, without: 100_000 } as const;
const maxSeed = 2_147_483_647;

/** Reads the flags. Throws a UserError that names an unknown or malformed flag. */
export function readSimulateFlags(args: readonly string[]): SimulateFlags {
  const flags = commandLine(
    'npm run simulate --',
    'Sends a day of generated rooms to a running npm start, computes the expected insights independently, and waits until ' +
      'the API returns them. Exits with 1 if it does not. The same seed and sizes on the same day send the same events ' +
      'again, which changes nothing.',
  )
    .option('--rooms <n>', 'rooms; one more is created and never entered', wholeNumber('--rooms', 1, maxCount), 5)
    .option('--sessions <n>', 'sessions per room', wholeNumber('--sessions', 1, maxCount), 4)
    .option(
      '--participants <n>',
      'participants per session, not counting recorders, streamers and captioners',
      wholeNumber('--participants', 1, maxCount),
      6,
    )
    .addOption(
      new Option('--seed <n>', 'seed of the generated events; the same seed gives the same events')
        .argParser(wholeNumber('--seed', 0, maxSeed))
        .default(randomInt(maxSeed), 'random, printed'),
    )
    .option('--samples', 'send network samples and speech of everyone, instead of few', false)
    .option('--shuffle', 'send the events in random order', false)
    .option('--duplicate <rate>', 'share of the events to send again, from 0 to 1; each one to three times', rateOf, 0)
    .option('--organization <id>', 'organization of the rooms', organizationOf, 'acme')
    .option('--data-dir <dir>', 'data directory of the running npm start', '.local')
    .parse(args, { from: 'user' })
    .opts<SimulateFlags>();
  assertSize(flags);
  return flags;
}

function rateOf(text: string): number {
  if (/^\d*\.?\d+$/.test(text) && Number(text) <= 1) return Number(text);
  throw new UserError(`--duplicate must be a number from 0 to 1, not "${text}".`);
}

function organizationOf(text: string): string {
  if (OrganizationId.safeParse(text).success) return text;
  throw new UserError(`--organization must be 1 to 64 letters, digits, underscores or hyphens, not "${text}".`);
}

function assertSize({ rooms, sessions, participants, samples }: SimulateFlags): void {
  const total = rooms * sessions * participants;
  const maximum = samples ? maxParticipants.withSamples : maxParticipants.without;
  if (total > maximum)
    throw new UserError(
      `--rooms, --sessions and --participants make ${total} participants. ` +
        `The maximum${samples ? ' with --samples' : ''} is ${maximum}.`,
    );
}
