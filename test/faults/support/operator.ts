import type { Deployment } from '#operations/erasure/deployment.ts';
import { apiUrl, jobNamePrefix, secretPrefix } from './functions.ts';
import { type FaultPlan, FunctionProcess } from './process.ts';
import type { World } from './world.ts';

/** Runs an operator's command on a world, in a process of its own that suffers the faults of the plan. */
export async function operate<Result>(
  { clients, resources, transcribe }: World,
  plan: FaultPlan,
  command: (deployment: Deployment) => Promise<Result>,
): Promise<Result | 'killed'> {
  const process = new FunctionProcess(plan);
  const { tables, buckets, queues } = resources;
  const stores = { ...clients, transcribe: transcribe.client(process) };
  const names = { jobNamePrefix, connectionSecretPrefix: secretPrefix, apiUrl };
  const deployment = { ...stores, ...names, tables, buckets, queues, encryptionKeyArn: undefined };
  return Promise.race([process.died.then(() => 'killed' as const), process.run(() => command(deployment))]);
}
