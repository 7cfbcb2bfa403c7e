import { randomInt } from 'node:crypto';
import { OrganizationId } from '../../shared/contracts/organization.ts';
import { readCommandLine, wholeNumber } from '../shared/command-line.ts';
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
  readonly help: boolean;
};

/** The text of `--help`. */
export const usage = `npm run simulate [-- flags]

Sends a day of generated rooms to a running npm start, computes the expected insights independently, and waits until
the API returns them. Exits with 1 if it does not. The same seed and sizes on the same day send the same events again,
which changes nothing.

  --rooms N            rooms (default 5); one more room is created and never entered
  --sessions M         sessions per room (default 4)
  --participants P     participants per session (default 6), not counting recorders, streamers and captioners
  --seed S             seed of the generated events; the same seed gives the same events (default: random, printed)
  --samples            send network samples and speech of everyone (default: of one in ten, and of everyone on a bad network)
  --shuffle            send the events in random order
  --duplicate RATE     share of the events to send again, from 0 to 1; each one to three times (default 0)
  --organization ID    organization of the rooms (default acme)
  --data-dir DIR       data directory of the running npm start (default .local)
  --help               print this help`;

const maxCount = 100_000;
/** Fits easily into memory. Network samples of everyone take ten times as much. */
const maxParticipants = { withSamples: 10_000, without: 100_000 } as const;
const maxSeed = 2_147_483_647;

/** Reads the flags. Throws a UserError that names an unknown or malformed flag. */
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
    `--rooms, --sessions and --participants make ${total} participants. ` +
      `The maximum${flags.samples ? ' with --samples' : ''} is ${maximum}.`,
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
