import { corsOrigins, roleNames } from '../../infra/settings.ts';
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
  --help               print this help`;

/** Reads the flags. Throws a UserError that names an unknown or malformed flag. */
export function readFlags(args: readonly string[]): Flags {
  const { port, 'data-dir': dataDir, 'dynamodb-url': dynamodbUrl, ...others } = parse(args);
  const { 'cors-origins': origins, 'non-participant-roles': roles, ...switches } = others;
  if (dynamodbUrl !== undefined && !URL.canParse(dynamodbUrl)) {
    throw new UserError(`--dynamodb-url must be a URL such as http://127.0.0.1:8000, not "${dynamodbUrl}".`);
  }
  assertValid('cors-origins', corsOrigins, origins);
  assertValid('non-participant-roles', roleNames, roles);
  return {
    ...switches,
    port: wholeNumber('port', port, 0, 65_535),
    dataDir,
    dynamodbUrl,
    corsOrigins: origins,
    nonParticipantRoles: roles,
  };
}

/** A flag with the name of a setting has the values of the setting. */
function assertValid(flag: string, schema: typeof corsOrigins | typeof roleNames, list: string | undefined): void {
  const { error } = list === undefined ? {} : schema.safeParse(list);
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
        help: { type: 'boolean', default: false },
      },
    },
    usage,
  ).values;
}
