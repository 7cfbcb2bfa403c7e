import { connectionSecretPrefix } from '#shared/names.ts';
import type { Deployment } from '#tools/operations/erasure/deployment.ts';
import { secretsManager } from '../../support/machine.ts';
import { jobNamePrefix } from './functions.ts';
import { type FaultPlan, FunctionProcess } from './process.ts';
import type { World } from './world.ts';

/** Runs an operator's command on a world, in a process of its own that suffers the faults of the plan. */
export async function operate<Result>(
  { clients, resources, transcribe }: World,
  plan: FaultPlan,
  command: (deployment: Deployment) => Promise<Result>,
): Promise<Result | 'killed'> {
  const process = new FunctionProcess(plan);
  const { tables, buckets, queues, sqs } = resources;
  const { documents, s3 } = clients;
  const stores = { documents, s3, transcribe: transcribe.client(process), secretsManager, sqs };
  const names = { jobNamePrefix, connectionSecretPrefix: connectionSecretPrefix({ deployment: jobNamePrefix }) };
  const deployment = { ...stores, ...names, tables, buckets, queues, encryptionKeyArn: undefined, apiUrl: '' };
  return Promise.race([process.died.then(() => 'killed' as const), process.run(() => command(deployment))]);
}
