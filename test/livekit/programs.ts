import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';
import { inject } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { endpoints } from '../support/machine.ts';
import type {} from './livekit-machine.ts';

/** The API key and its secret, of LiveKit and of its connection. */
export const key = { id: 'devkey', value: '0123456789abcdef0123456789abcdef' };

/** A program that runs beside the test. */
export type Program = {
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Waits until it has printed a text. */
  readonly says: (text: string | RegExp, limitMs?: number) => Promise<void>;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  readonly output: () => string;
};

const running = new Set<ChildProcess>();

/** Kills every program that still runs. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string): Program {
  const child = spawn(command, args, { env: { ...process.env, ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([code, signal]: (number | string)[]) => {
    running.delete(child);
    return code ?? signal ?? '';
  });
  const says = (text: string | RegExp, limitMs = 30_000) =>
    eventually(() => {
      const isSaid = typeof text === 'string' ? output.includes(text) : text.test(output);
      if (!isSaid) throw new Error(`"${text}" is not in the output:\n${output}`);
    }, limitMs);
  return { kill: (signal) => child.kill(signal), says, ended, output: () => output };
}

/** A LiveKit on this machine. */
export type Livekit = { readonly url: string; readonly server: Program };

/** Starts LiveKit with these lines in its configuration, which say where its webhooks go. */
export async function startLivekit(webhookLines: string): Promise<Livekit> {
  const [port, tcp, udp] = [await getPort(), await getPort(), await getPort()];
  const config = `port: ${port}
bind_addresses: [127.0.0.1]
rtc: { tcp_port: ${tcp}, udp_port: ${udp}, use_external_ip: false, node_ip: 127.0.0.1 }
keys: { ${key.id}: ${key.value} }
room: { empty_timeout: 60, departure_timeout: 2 }
${webhookLines}`;
  const file = path.join(inject('machine').temporaryFolder, `livekit-${port}.yaml`);
  await writeFile(file, config);
  const server = start(inject('livekitServer'), ['--config', file], {});
  await eventually(async () => {
    const { ok } = await fetch(`http://127.0.0.1:${port}`);
    if (!ok) throw new Error('LiveKit is not ready.');
  });
  return { url: `ws://127.0.0.1:${port}`, server };
}

const example = path.resolve('examples/livekit-recorder');

/** Starts a participant that joins a room and speaks a WAV file. */
export function startParticipant({ url }: Livekit, room: string, identity: string, file: string): Program {
  return start(process.execPath, ['participant.ts', room, identity, file], exampleSettings(url), example);
}

/** Starts the example that records a room. */
export function startRecorder({ url }: Livekit, room: string, organizationId: string): Program {
  const env = {
    ...exampleSettings(url),
    ...awsSettings(organizationId),
    ROOMSCRIBE_RECORDINGS_BUCKET: endpoints.buckets.recordings,
    ROOMSCRIBE_ROOM_EVENTS_QUEUE_URL: endpoints.queues.roomEvents,
    RECORDER_FOLDER: path.join(inject('machine').temporaryFolder, 'recorder'),
  };
  return start(process.execPath, ['recorder.ts', room], env, example);
}

/** Starts the example that tells who speaks in a room. */
export function startSpeakers({ url }: Livekit, room: string, organizationId: string): Program {
  const env = {
    ...exampleSettings(url),
    ...awsSettings(organizationId),
    ROOMSCRIBE_NETWORK_SAMPLES_QUEUE_URL: endpoints.queues.networkSamples,
  };
  return start(process.execPath, ['speakers.ts', room], env, example);
}

function awsSettings(organizationId: string): NodeJS.ProcessEnv {
  return {
    ROOMSCRIBE_ORGANIZATION: organizationId,
    AWS_REGION: endpoints.region,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_S3: endpoints.s3Url,
    AWS_ENDPOINT_URL_SQS: endpoints.sqsUrl,
  };
}

function exampleSettings(url: string): NodeJS.ProcessEnv {
  return { LIVEKIT_URL: url, LIVEKIT_API_KEY: key.id, LIVEKIT_API_SECRET: key.value };
}
