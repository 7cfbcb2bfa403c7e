import { randomInt } from 'node:crypto';
import { OrganizationId } from '../../shared/contracts/organization.ts';
import { readCommandLine, wholeNumber } from '../shared/command-line.ts';
import { UserError } from '../shared/user-error.ts';

/** What `npm run simulate` was asked for. */
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
  readonly help: boolean;
};

/** What `--help` shows. */
export const usage = `npm run simulate [-- flags]

Sends a day of made-up rooms to a running npm start, counts by itself what the insights must be, waits for the API to
answer with that, and ends with 1 if it does not. The same seed and sizes on the same day send the same again, which
changes nothing.

  --rooms N            rooms (default 5); one more is created and never entered
  --sessions M         sessions of each room (default 4)
  --participants P     participants of each session (default 6), besides recorders and streamers
  --seed S             makes the history; the same seed, the same history (default: a new one, which is printed)
  --samples            send network samples of everyone, and not of one in ten and of those on a bad network alone
  --shuffle            send the events in any order
  --duplicate RATE     send this share of the events, from 0 to 1, one to three times more (default 0)
  --organization ID    whose rooms they are (default acme)
  --data-dir DIR       data directory of the running npm start (default .local)
  --help               show this`;

const maxCount = 100_000;
/** What fits into memory with ease; network samples of everyone are ten times as much. */
const maxParticipants = { withSamples: 10_000, without: 100_000 } as const;
const maxSeed = 2_147_483_647;

/** Reads the flags; one that is unknown or malformed is a problem that says which. */
export function readSimulateFlags(args: readonly string[]): SimulateFlags {
  const { 'data-dir': dataDir, seed, duplicate, organization, ...given } = parse(args);
  if (!OrganizationId.safeParse(organization).success) {
    throw new UserError(
      `--organization must be 1 to 64 letters, digits, underscores or hyphens, not "${organization}".`,
    );
  }
  if (!/^\d*\.?\d+$/.test(duplicate) || Number(duplicate) > 1) {
    throw new UserError(`--duplicate must be a number from 0 to 1, not "${duplicate}".`);
  }
  return {
    ...given,
    ...readSizes(given),
    dataDir,
    organization,
    seed: seed === undefined ? randomInt(maxSeed) : wholeNumber('seed', seed, 0, maxSeed),
    duplicate: Number(duplicate),
  };
}

type SizeFlags = Readonly<Record<'rooms' | 'sessions' | 'participants', string>> & { readonly samples: boolean };

function readSizes(flags: SizeFlags): Pick<SimulateFlags, 'rooms' | 'sessions' | 'participants'> {
  const rooms = wholeNumber('rooms', flags.rooms, 1, maxCount);
  const sessions = wholeNumber('sessions', flags.sessions, 1, maxCount);
  const participants = wholeNumber('participants', flags.participants, 1, maxCount);
  const total = rooms * sessions * participants;
  const maximum = flags.samples ? maxParticipants.withSamples : maxParticipants.without;
  if (total <= maximum) return { rooms, sessions, participants };
  throw new UserError(
    `--rooms, --sessions and --participants are ${total} participants together; ` +
      `${flags.samples ? 'with --samples it' : 'it'} can be at most ${maximum}.`,
  );
}

function parse(args: readonly string[]) {
  return readCommandLine(
    {
      args: [...args],
      options: {
        rooms: { type: 'string', default: '5' },
        sessions: { type: 'string', default: '4' },
        participants: { type: 'string', default: '6' },
        seed: { type: 'string' },
        samples: { type: 'boolean', default: false },
        shuffle: { type: 'boolean', default: false },
        duplicate: { type: 'string', default: '0' },
        organization: { type: 'string', default: 'acme' },
        'data-dir': { type: 'string', default: '.local' },
        help: { type: 'boolean', default: false },
      },
    },
    usage,
  ).values;
}
