import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleFile, bundleOptions } from '#infra/bundling.ts';
import { environmentOf } from '#tools/local/lambda/functions.ts';
import { startFilledStack } from '../../support/requests/filled-stack.ts';
import type { Call, StandIn } from '../../support/requests/stand-in.ts';
import { stateFolder } from '../local-runner.ts';
import { bareWorkOf } from './bare-calls.ts';
import type { Invocations, Invoked } from './warm-process.ts';

const program = fileURLToPath(new URL('warm-process.ts', import.meta.url));
/** Longer than a function takes to send all the calls that it does not wait for. */
const roundTripMs = 50;

/** A bundle and the environment of the process that loads it. */
export type Program = { readonly bundle: string; readonly env: Readonly<Record<string, string>> };

/** The bundled functions and what they are compared with, in front of filled services. */
export type WarmFunctions = {
  readonly standIn: StandIn;
  /** A function of the stack, by the name of its folder. */
  readonly find: (name: string) => Program;
  /** The bare handler, with the calls and the answer of an invocation. */
  readonly bare: (calls: readonly Call[], answer: string) => Promise<Program>;
  /** The handler that only signs a link. */
  readonly presigner: () => Program;
};

/** Starts the local services with the stack's bundles and a filled organization, runs `work`, then stops and deletes all. */
export async function withWarmFunctions<Result>(work: (functions: WarmFunctions) => Promise<Result>): Promise<Result> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(await stateFolder(), 'roomscribe-bench-'));
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-warm-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const context = { transcriptionMinutesPerDay: '100000000', webhooksPerOrganization: '100' };
  const { stack, urls, standIn } = await startFilledStack({ dataDir, context, roundTripMs }, cleanup);
  await bundle(['bare-handler', 'presign-handler'], folder);
  const find = (name: string): Program => {
    const target = stack.functions.find((each) => each.name === name);
    if (!target) throw new Error(`The stack has no function ${name}.`);
    return { bundle: path.join(target.codeFolder, bundleFile), env: environmentOf(target, urls) };
  };
  let bareCount = 0;
  return await work({
    standIn,
    find,
    async bare(calls, answer) {
      const file = path.join(folder, `calls-${bareCount++}.json`);
      await writeFile(file, JSON.stringify(bareWorkOf(calls, answer, standIn.url)));
      const { env } = find('get-transcription');
      return { bundle: path.join(folder, 'bare-handler.js'), env: { ...env, BARE_CALLS: file } };
    },
    presigner: () => ({ bundle: path.join(folder, 'presign-handler.js'), env: find('get-transcription').env }),
  });
}

async function bundle(names: readonly string[], outdir: string): Promise<void> {
  const entryPoints = names.map((name) => fileURLToPath(new URL(`${name}.ts`, import.meta.url)));
  await build({ ...bundleOptions, entryPoints, outdir, write: true });
}

/** A process that has loaded a program. */
export type WarmProcess = AsyncDisposable & {
  readonly invoke: (asked: Invocations) => Promise<Exclude<Invoked, { error: string }>>;
};

/** Loads a program in a process of its own. What it prints is discarded, except errors. */
export async function load({ bundle: file, env }: Program): Promise<WarmProcess> {
  const child = fork(program, [file], { env: { ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await replyOf(child);
  return {
    async invoke(asked) {
      child.send(asked);
      const reply = (await replyOf(child)) as Invoked;
      if ('error' in reply) throw new Error(`The function failed: ${reply.error}`);
      return reply;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function replyOf(child: ChildProcess): Promise<unknown> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = once(child, 'exit', { signal }).then(([code, killedBy]) => {
    throw new Error(`The process of a function ended with ${code ?? killedBy}.`);
  });
  ended.catch(() => {}); // also when it is no longer waited for
  try {
    const [reply] = await Promise.race([once(child, 'message', { signal }), ended]);
    return reply;
  } finally {
    stopping.abort();
  }
}
