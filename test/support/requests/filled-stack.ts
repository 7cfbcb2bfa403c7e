import { rm } from 'node:fs/promises';
import type { ServiceUrls } from '#tools/local/lambda/functions.ts';
import { type LocalServices, startLocalServices } from '#tools/local/local-services.ts';
import { createRunnerContext, type RunnerContext, type RunnerOptions } from '#tools/local/runner-context.ts';
import { type StandIn, startStandIn } from './stand-in.ts';
import { fillWorld } from './world.ts';

/** A stack whose services have the data of an organization. Its functions call the stand-in in front of them. No worker runs. */
export type FilledStack = LocalServices & { readonly standIn: StandIn; readonly data: RunnerContext['data'] };

type Options = Pick<RunnerOptions, 'dataDir' | 'assembly' | 'context'>;

/** Starts the local services and fills them. `cleanup` stops them, and removes the folder with their data. */
export async function startFilledStack(options: Options, cleanup: AsyncDisposableStack): Promise<FilledStack> {
  const { dataDir } = options;
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const runner = await createRunnerContext({ ...options, port: 0 }, cleanup);
  const services = await startLocalServices(runner);
  const standIn = await startStandIn(services.urls);
  cleanup.defer(standIn.stop);
  await fillWorld(services, `${standIn.url}/receiver`);
  return { ...pointedAt(standIn.url, services), standIn, data: runner.data };
}

/** The stack and the addresses of its services, with the address of the stand-in instead of theirs. */
function pointedAt(standInUrl: string, { stack, urls, issuer }: LocalServices): LocalServices {
  const text = Object.values(urls).reduce(
    (json, url) => json.replaceAll(url, standInUrl),
    JSON.stringify({ stack, urls }),
  );
  return { ...(JSON.parse(text) as { readonly stack: LocalServices['stack']; readonly urls: ServiceUrls }), issuer };
}
