import { accessTokenVerifier, TokenRefused } from '#shared/adapters/organization/access-tokens.ts';
import { readAwsEnv, readEnv, readPeoplePool } from '#shared/runtime/env.ts';
import { clientIdClaim, envNames } from '#shared/runtime/names.ts';
import { createHandler } from './handler.ts';

const { userPoolId, scope } = readEnv({ userPoolId: envNames.userPoolId, scope: envNames.tokenScope });
const { region } = readAwsEnv();

export const handler = createHandler({
  verify: accessTokenVerifier({ userPoolId, region, scope, people: readPeoplePool() }),
  refusalReason: (error) => (error instanceof TokenRefused ? error.reason : undefined),
  organizationClaim: clientIdClaim,
});
