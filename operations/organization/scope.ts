import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { outputNames } from '#infra/stack/outputs.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import type { AskSecret } from '../connections/ask-secret.ts';
import { type Deployment, deploymentOfRunner, deploymentOfStage, type Stores } from '../erasure/deployment.ts';
import type { Terminal } from '../erasure/erase-organization.ts';
import { stackOutputs } from '../stack-outputs.ts';
import type { Target } from '../target.ts';
import { type Organization, organizationClients } from './clients.ts';
import { findTokenIssuer } from './token-issuer.ts';

/** The AWS clients and the terminal that the commands use. */
export type Dependencies = {
  readonly cloudFormation: CloudFormationClient;
  readonly cognito: CognitoIdentityProviderClient;
  readonly openStores: (endpoints?: Endpoints) => Stores;
  readonly terminal: Terminal;
  readonly askSecret: AskSecret;
};

/** What a command is about: an organization, by its name or id, and where it is. */
export type Subject = { readonly name: string; readonly target: Target };

/** The organization of a command, and the deployment with its data. `client` is its name and id in the user pool, if it is there. */
export type Scope = {
  readonly organizationId: OrganizationId;
  /** Says how the id was determined. */
  readonly note: string;
  readonly client?: Organization | undefined;
  /** True if the stage has a user pool, in which the organization should be. */
  readonly hasUserPool: boolean;
  /** The pool of people, if the stage has one. */
  readonly peoplePoolId?: string | undefined;
  readonly deployment: Deployment;
};

/** Finds the organization by its name or id. An argument that is neither is used as an id, for the data of deleted organizations. */
export async function findScope({ name, target }: Subject, dependencies: Dependencies): Promise<Scope> {
  if ('dataDir' in target) {
    const deployment = await deploymentOfRunner(target.dataDir, dependencies.openStores);
    const note = `In the local runner, the name of an organization is its id: ${name}.`;
    return { organizationId: OrganizationId.parse(name), note, deployment, hasUserPool: false };
  }
  const { stage } = target;
  const outputs = await stackOutputs(dependencies.cloudFormation, stage);
  const deployment = deploymentOfStage(stage, outputs, dependencies.openStores());
  if (!outputs.has(outputNames.userPoolId)) {
    const note = `Stage ${stage} has its own token issuer, so ${name} is used as the id of the organization.`;
    return { organizationId: OrganizationId.parse(name), note, deployment, hasUserPool: false };
  }
  const issuer = await findTokenIssuer(dependencies.cloudFormation, stage);
  const peoplePoolId = outputs.get(outputNames.peoplePoolId);
  const client = await organizationClients(dependencies.cognito, issuer).find(name);
  if (!client) {
    const note =
      `The user pool of ${stage} has no client ${name}, or no longer has it, ` +
      `so ${name} is used as the id of the organization.`;
    return { organizationId: OrganizationId.parse(name), note, deployment, hasUserPool: true, peoplePoolId };
  }
  const note = `${client.name} has the id ${client.id} in ${stage}.`;
  return { organizationId: OrganizationId.parse(client.id), note, client, deployment, hasUserPool: true, peoplePoolId };
}

/** The flag that chooses this deployment in another command line. */
export function targetFlag(target: Target): string {
  return 'dataDir' in target ? `--data-dir ${shellQuote(target.dataDir)}` : `--stage ${target.stage}`;
}

/** Quotes a text so that a shell reads it as one word. */
export function shellQuote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
