import { Fn, Stack } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { OtherOrigins } from '#console/serving/policy.ts';
import type { ServiceApi } from '../api/service-api.ts';
import type { OwnIssuer, StageConfig } from '../settings/stages.ts';
import { describedOutput } from '../stack/described-outputs.ts';
import { outputNames } from '../stack/outputs.ts';
import type { ServiceResources } from '../storage/service-resources.ts';
import { ConsoleFiles } from './console-files.ts';
import { ConsoleHosting } from './console-hosting.ts';
import type { PeoplePool } from './people-pool.ts';

type HostedConsoleProps = {
  readonly api: ServiceApi;
  /** The pool of people, unless the stage has an issuer of its own. */
  readonly people: PeoplePool | undefined;
  readonly resources: Pick<ServiceResources, 'buckets'>;
  readonly accessLogs: Bucket;
  /** The folder of the built pages. */
  readonly folder: string;
  readonly config: StageConfig;
};

/** The console of a stage: its address, its pages, and the login of people. */
export class HostedConsole extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { api, people, resources, accessLogs, folder, config }: HostedConsoleProps,
  ) {
    super(scope, id);
    const { ownIssuer, consoleDomain: customDomain } = config;
    const login = people ? loginOfPool(people) : loginOfIssuer(ownIssuer);
    const { bucket, url } = new ConsoleHosting(this, 'Hosting', {
      apiDomainName: Fn.parseDomainName(api.url),
      otherOrigins: otherOrigins(login.origins, resources.buckets, config),
      accessLogs,
      customDomain,
    });
    people?.addConsoleClient({ callbackUrl: url, logoutUrl: url });
    const deployment = Stack.of(this).stackName;
    new ConsoleFiles(this, 'Files', {
      bucket,
      folder,
      signIn: { signIn: 'oidc', deployment, ...login.signIn },
      config,
    });
    describedOutput(this, outputNames.consoleUrl, url);
  }
}

/** How people log in, as `config.json` tells it, and the origins that the pages need for it. */
type Login = { readonly signIn: Readonly<Record<string, string>>; readonly origins: readonly string[] };

function loginOfPool(people: PeoplePool): Login {
  const { clientId, requestedScopes: scope, authorizationEndpoint, tokenEndpoint } = people;
  const { endSessionEndpoint, revocationEndpoint } = people;
  const issuer = people.userPool.userPoolProviderUrl;
  const endpoints = { authorizationEndpoint, tokenEndpoint, endSessionEndpoint, revocationEndpoint };
  return {
    signIn: { issuer, clientId, scope, ...endpoints },
    origins: [people.loginUrl],
  };
}

/** The pages read the endpoints from the issuer's own description. */
function loginOfIssuer(ownIssuer: OwnIssuer | undefined): Login {
  const { issuer, audience, consoleClientId: clientId, consoleScope: scope, consoleTokenOrigin } = ownIssuer ?? {};
  if (issuer === undefined || audience === undefined || clientId === undefined || scope === undefined)
    throw new Error('The console needs a pool of people, or an issuer with a client.');
  const { origin } = new URL(issuer);
  const origins = new Set([origin, consoleTokenOrigin ?? origin]);
  return { signIn: { issuer, clientId, scope, audience }, origins: [...origins] };
}

/** Pages fetch transcripts by links, and play recordings by links if the stage gives any. */
function otherOrigins(
  loginOrigins: readonly string[],
  { transcripts, recordings }: ServiceResources['buckets'],
  { recordingLinks }: StageConfig,
): OtherOrigins {
  return {
    connect: [...loginOrigins, `https://${transcripts.bucketRegionalDomainName}`],
    media: recordingLinks ? [`https://${recordings.bucketRegionalDomainName}`] : [],
  };
}
