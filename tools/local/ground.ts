import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { choosePorts, type Ports } from './ports.ts';
import type { Stops } from './stops.ts';

/** How one machine is to be run. */
export type RunnerOptions = {
  /** Of the API; 0 for a free one. */
  readonly port?: number;
  /** Holds all state; one runner at a time. */
  readonly dataDir: string;
  /** Forget the state. */
  readonly fresh?: boolean;
  /** A DynamoDB endpoint to use instead of starting Dynoxide. */
  readonly dynamodbUrl?: string;
  /** CDK context, as `-c key=value` gives it. */
  readonly context?: Readonly<Record<string, string>>;
  readonly onProgress?: (text: string) => void;
  /** Ends the start. */
  readonly signal?: AbortSignal;
};

/** What every part of the runner stands on. */
export type Ground = {
  readonly options: RunnerOptions;
  readonly data: DataFolder;
  readonly ports: Ports;
  readonly stops: Stops;
  /** Records what becomes of the runner itself in `runner.log`, next to the functions' logs. */
  readonly log: (event: unknown) => void;
};

const defaultPort = 8787;

/** Takes the data directory and chooses the ports. */
export async function prepareGround(options: RunnerOptions, stops: Stops): Promise<Ground> {
  const data = await openDataFolder(options.dataDir, options.fresh ?? false);
  await stops.add(data.release);
  const ports = await choosePorts(data.ports, options.port ?? defaultPort);
  const logFile = path.join(data.logs, 'runner.log');
  const log = (event: unknown): void => {
    const text = event instanceof Error ? (event.stack ?? event.message) : JSON.stringify(event);
    appendFileSync(logFile, `${new Date().toISOString()} ${text}\n`);
  };
  return { options, data, ports, stops, log };
}

/** Waits until all have settled, and then throws the first failure: nothing goes on starting behind a failure's back. */
export async function allOrNothing<Values extends readonly unknown[]>(
  promises: { readonly [index in keyof Values]: Promise<Values[index]> },
): Promise<Values> {
  await Promise.allSettled(promises);
  return Promise.all(promises) as Promise<Values>; // of the same promises, in the same order
}
