import type * as z from 'zod/mini';
import { isOrigin } from '#infra/settings/settings.ts';
import { settings } from '#infra/settings/stage-settings.ts';
import { commandLine, wholeNumber } from '../shared/command-line.ts';
import { UserError } from '../shared/user-error.ts';

/** The flags of `npm start`. */
export type Flags = {
  readonly port: number;
  readonly dataDir: string;
  readonly fresh?: true;
  readonly demo: boolean;
  readonly dynamodbUrl?: string;
  readonly corsOrigins?: string;
  readonly nonParticipantRoles?: string;
  readonly sessionIdleHours?: string;
  readonly publicUrl?: string;
};

/** Reads the flags. Throws a UserError that names an unknown or malformed flag. */
export function readFlags(args: readonly string[]): Flags {
  return commandLine(
    'npm start --',
    'Runs the whole service on this machine. The first start also plays a demo: a day of rooms, a sample recording, and ' +
      'a meeting with a track for each person.',
  )
    .option('--port <n>', 'port of the API; 0 takes a free port', wholeNumber('--port', 0, 65_535), 8787)
    .option('--data-dir <dir>', 'folder for the state', '.local')
    .option('--fresh', 'delete the state of earlier runs')
    .option('--no-demo', 'skip the demo')
    .option('--dynamodb-url <url>', 'use this DynamoDB endpoint instead of starting one', urlOf)
    .option(
      '--cors-origins <list>',
      'allow pages of these origins to call the API, such as http://localhost:5173',
      valid('--cors-origins', settings.corsOrigins.schema),
    )
    .option(
      '--non-participant-roles <list>',
      'more roles that are no participants, such as bot,assistant',
      valid('--non-participant-roles', settings.nonParticipantRoles.schema),
    )
    .option(
      '--session-idle-hours <n>',
      'close sessions that nobody ended after n hours without an event',
      valid('--session-idle-hours', settings.sessionIdleHours.schema),
    )
    .option(
      '--public-url <url>',
      'the address by which platforms and clients elsewhere reach the API, such as that of a tunnel',
      originOf,
    )
    .parse(args, { from: 'user' })
    .opts<Flags>();
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
function originOf(publicUrl: string): string {
  const origin = publicUrl.replace(/\/$/, '');
  if (isOrigin(origin)) return origin;
  throw new UserError(
    `--public-url must be an address such as https://roomscribe.example.com, without a path, not "${publicUrl}". ` +
      'http is allowed for localhost only.',
  );
}

function urlOf(text: string): string {
  if (URL.canParse(text)) return text;
  throw new UserError(`--dynamodb-url must be a URL such as http://127.0.0.1:8000, not "${text}".`);
}

/** A flag with the name of a setting has the values of the setting. */
function valid(flag: string, schema: z.ZodMiniType): (text: string) => string {
  return (text) => {
    const { error } = schema.safeParse(text);
    if (error) throw new UserError(error.issues.map(({ message }) => `${flag} ${message}`).join('\n'));
    return text;
  };
}
