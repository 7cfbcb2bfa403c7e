import path from 'node:path';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { diskOf } from './limits/disk-space.ts';
import { openLogFile } from './log-file.ts';
import { type ReservedPorts, reservePorts } from './ports.ts';
import type { TranscribeOptions } from './transcribe/start-transcribe.ts';

/** How to start the local runner. */
export type RunnerOptions = {
  /** Port of the API. 0 takes a free port. */
  readonly port?: number;
  /** Folder for all state. Only one runner can use it at a time. */
  readonly dataDir: string;
  /** Deletes the state of earlier runs. */
  readonly fresh?: boolean;
  /** The origin by which platforms and clients elsewhere reach the API, such as that of a tunnel. Default: its address on this machine. With it, `/docs` has no token, and `/console/` no page. */
  readonly publicUrl?: string;
  /** A DynamoDB endpoint to use instead of starting Dynoxide. */
  readonly dynamodbUrl?: string;
  /** CDK context, as `-c key=value` passes it. */
  readonly context?: Readonly<Record<string, string>>;
  /** A folder with the output of a synthesis to run instead of synthesizing the stack. */
  readonly assembly?: string;
  /** Replaces the recognizer of the local Transcribe, where it is looked for, and how many jobs run at once. */
  readonly transcribe?: Pick<TranscribeOptions, 'createTranscriber' | 'searchPath' | 'jobsAtOnce'>;
  readonly onProgress?: (text: string) => void;
  /**
   * Told which part of this machine is the limit, at most once a minute, and that its disk is full or has room again.
   * Without it, nothing is measured.
   */
  readonly onLimit?: (text: string) => void;
  /** Cancels the start. */
  readonly signal?: AbortSignal;
};

/** What every part of the local runner shares: options, folders, ports, shutdown and log. */
export type RunnerContext = {
  readonly options: RunnerOptions;
  readonly data: DataFolder;
  readonly ports: ReservedPorts;
  /** Stops everything that has started, in reverse order. */
  readonly shutdown: AsyncDisposableStack;
  /** Appends to `runner.log`, the runner's own log beside those of the functions. */
  readonly log: (event: unknown) => void;
  /** Whether the disk of the data directory is full now. */
  readonly isDiskFull: () => boolean;
};

const defaultPort = 8787;

/** Locks the data directory and reserves the ports. */
export async function createRunnerContext(
  options: RunnerOptions,
  shutdown: AsyncDisposableStack,
): Promise<RunnerContext> {
  const data = await openDataFolder(options.dataDir, options.fresh ?? false);
  shutdown.defer(data.release);
  const ports = await reservePorts(data.ports, options.port ?? defaultPort);
  shutdown.defer(ports.releaseAll);
  const logFile = openLogFile(path.join(data.logs, 'runner.log'));
  shutdown.defer(logFile.close);
  const log = (event: unknown): void => {
    const text = event instanceof Error ? (event.stack ?? event.message) : JSON.stringify(event);
    logFile.write(`${new Date().toISOString()} ${text}`);
  };
  return { options, data, ports, shutdown, log, isDiskFull: diskOf(data.root) };
}

/** Waits until all promises have settled, then throws the first failure. Nothing is still starting when it throws. */
export async function allOrNothing<Values extends readonly unknown[]>(
  promises: { readonly [index in keyof Values]: Promise<Values[index]> },
): Promise<Values> {
  await Promise.allSettled(promises);
  return Promise.all(promises) as Promise<Values>; // of the same promises, in the same order
}

/** Waits for a service to start and stops it at shutdown. */
export async function stopAtShutdown<Service extends { readonly stop: () => Promise<void> }>(
  shutdown: AsyncDisposableStack,
  starting: Promise<Service>,
): Promise<Service> {
  return shutdown.adopt(await starting, (service) => service.stop());
}
