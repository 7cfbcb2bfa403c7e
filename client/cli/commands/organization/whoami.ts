import { type Command, Option } from 'commander';
import type { JWTPayload } from 'jose';
import { claimsOf } from '../../claims.ts';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples } from '../../options.ts';
import { details, plain } from '../../output/format.ts';

/** Adds `whoami`. */
export function addWhoami(program: Command, cli: Cli): void {
  const command = program
    .command('whoami')
    .description('Show the profile, the API, the organization, and when the token expires. Never shows the token.')
    .addOption(
      new Option(
        '--organization-claim <name>',
        'Claim that names the organization: that of the deployment, if the operator has an own issuer.',
      ).default('client_id', 'client_id'),
    )
    .addHelpText('after', examples('$ roomscribe whoami', '$ roomscribe whoami --profile dev --json'));
  command.action(async ({ organizationClaim }: { organizationClaim: string }) => {
    const output = outputOf(cli, command);
    const { profile, apiUrl, token } = await withClient(cli, command, async (client, { owner, account }) => ({
      profile: owner ?? null,
      apiUrl: account.apiUrl,
      token: await client.accessToken(),
    }));
    const claims = claimsOf(token);
    const organization = textOf(claims?.[organizationClaim]);
    const expiresAt = claims?.exp === undefined ? null : new Date(claims.exp * 1000).toISOString();
    output.print({ profile, apiUrl, organization, expiresAt }, () =>
      details([
        ['Profile', profile ?? '(the environment)'],
        ['API URL', apiUrl],
        ['Organization', plain(organization)],
        ['Token expires', expiresAt === null ? '-' : `${expiresAt}${claims && isExpired(claims) ? ' (expired)' : ''}`],
      ]),
    );
    if (!claims) output.note('The token is not a JWT, so its claims cannot be read.');
    else if (organization === null) {
      output.note(
        `The token has no claim "${organizationClaim}". Ask the operator for the claim: --organization-claim.`,
      );
    }
  });
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' ? claim : null;
}

function isExpired({ exp = Number.POSITIVE_INFINITY }: JWTPayload): boolean {
  return exp * 1000 <= Date.now();
}
