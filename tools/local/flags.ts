import type * as z from 'zod/mini';
import { isOrigin } from '../../infra/settings.ts';
import { settings } from '../../infra/stage-settings.ts';
import { readCommandLine, wholeNumber } from '../shared/command-line.ts';
import { UserError } from '../shared/user-error.ts';

/** The flags of `npm start`. */
export type Flags = {
  readonly port: number;
  readonly dataDir: string;
  readonly fresh: boolean;
  readonly demo: boolean;
  readonly dynamodbUrl: string | undefined;
  readonly corsOrigins: string | undefined;
  readonly nonParticipantRoles: string | undefined;
  readonly sessionIdleHours: string | undefined;
  readonly publicUrl: string | undefined;
  readonly help: boolean;
};

/** The text of `--help`. */
export const usage = `npm start [-- flags]

Runs the whole service on this machine. The first start also plays a demo: a day of rooms, a sample
recording, and a meeting with a track for each person.

  --port N             port of the API; 0 takes a free port (default 8787)
  --data-dir DIR       folder for the state (default .local)
  --fresh              delete the state of earlier runs
  --no-demo            skip the demo
  --dynamodb-url URL   use this DynamoDB endpoint instead of starting one
  --cors-origins LIST  allow pages of these origins to call the API, such as http://localhost:5173
  --non-participant-roles LIST
                       more roles that are no participants, such as bot,assistant
  --session-idle-hours N
                       close sessions that nobody ended after N hours without an event
  --public-url URL     the address by which platforms and clients elsewhere reach the API, such as
                       that of a tunnel
  --help               print this help`;

/** Reads the flags. Throws a UserError that names an unknown or malformed flag. */
export function readFlags(args: readonly string[]): Flags {
  const { port, 'data-dir': dataDir, 'dynamodb-url': dynamodbUrl, ...others } = parse(args);
  const { 'cors-origins': origins, 'non-participant-roles': roles, ...more } = others;
  const { 'session-idle-hours': idleHours, 'public-url': publicUrl, ...switches } = more;
  if (dynamodbUrl !== undefined && !URL.canParse(dynamodbUrl)) {
    throw new UserError(`--dynamodb-url must be a URL such as http://127.0.0.1:8000, not "${dynamodbUrl}".`);
  }
  assertValid('cors-origins', settings.corsOrigins.schema, origins);
  assertValid('non-participant-roles', settings.nonParticipantRoles.schema, roles);
  assertValid('session-idle-hours', settings.sessionIdleHours.schema, idleHours);
  return {
    ...switches,
    port: wholeNumber('port', port, 0, 65_535),
    dataDir,
    dynamodbUrl,
    corsOrigins: origins,
    nonParticipantRoles: roles,
    sessionIdleHours: idleHours,
    publicUrl: publicUrl === undefined ? undefined : originIn(publicUrl),
  };
}

/** The settings of the stage that flags change. The others have the stage's defaults. */
export function settingsOf({ corsOrigins, nonParticipantRoles, sessionIdleHours }: Flags): Record<string, string> {
  return {
    ...(corsOrigins !== undefined && { corsOrigins }),
    ...(nonParticipantRoles !== undefined && { nonParticipantRoles }),
    ...(sessionIdleHours !== undefined && { sessionIdleHours }),
  };
}

/** The origin of the address that a tunnel prints, which may end with a slash. */
function originIn(publicUrl: string): string {
  const origin = publicUrl.replace(/\/$/, '');
  if (isOrigin(origin)) return origin;
  throw new UserError(
    `--public-url must be an address such as https://roomscribe.example.com, without a path, not "${publicUrl}". ` +
      'http is allowed for localhost only.',
  );
}

/** A flag with the name of a setting has the values of the setting. */
function assertValid(flag: string, schema: z.ZodMiniType, value: string | undefined): void {
  const { error } = schema.safeParse(value);
  if (error) throw new UserError(error.issues.map(({ message }) => `--${flag} ${message}`).join('\n'));
}

function parse(args: readonly string[]) {
  return readCommandLine(
    {
      args: [...args],
      allowNegative: true,
      options: {
        port: { type: 'string', default: '8787' },
        'data-dir': { type: 'string', default: '.local' },
        fresh: { type: 'boolean', default: false },
        demo: { type: 'boolean', default: true },
        'dynamodb-url': { type: 'string' },
        'cors-origins': { type: 'string' },
        'non-participant-roles': { type: 'string' },
        'session-idle-hours': { type: 'string' },
        'public-url': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    },
    usage,
  ).values;
}
