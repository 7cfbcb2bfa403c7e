import type { Deployment } from '#tools/operations/erasure/deployment.ts';
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
  const { tables, buckets } = resources;
  const stores = { documents: clients.documents, s3: clients.s3, transcribe: transcribe.client(process) };
  const deployment = { ...stores, tables, buckets, jobNamePrefix, apiUrl: '' };
  return Promise.race([process.died.then(() => 'killed' as const), process.run(() => command(deployment))]);
}
