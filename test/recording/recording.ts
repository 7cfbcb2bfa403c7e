import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { requestToken } from '#tools/shared/token.ts';
import { untilApiAgrees } from '#tools/simulation/agreement.ts';
import { insightsApi } from '#tools/simulation/insights-api.ts';
import { recount } from '#tools/simulation/recount.ts';
import { sendEvents } from '#tools/simulation/send.ts';
import { roomscribeOnPath } from '../support/on-path.ts';
import { startTerminal, type Terminal } from '../support/pseudo-terminal.ts';
import { eventsOf, story } from './story.ts';

const { recordingId, roomSessionId } = story;
/** What stands for the id of the transcription, which is another each time. */
const transcriptionId = '9226ec25-8833-431d-82bc-05dbfd0728fb';
const organizationName = 'acme';
const shown = { apiUrl: 'http://127.0.0.1:8787', tokens: 'http://127.0.0.1:38433', config: '~/.config/roomscribe' };
const limitMs = 60_000;

/** What is typed; `ID` is the transcription's. */
const commands: readonly string[] = [
  `roomscribe transcriptions create ${recordingId} --wait`,
  'roomscribe transcriptions list',
  'roomscribe transcriptions download ID \\\n    --format vtt | fold -s | head -9',
  'roomscribe rooms',
  `roomscribe participants --room-session-id ${roomSessionId}`,
  `roomscribe network ${roomSessionId} p-2`,
  'roomscribe transcriptions list --stat ready',
];

/** What a person sees who tries the command line on a machine, for an organization without anything; always the same. */
export async function record(endpoints: Endpoints, organizationId: string): Promise<string> {
  await tell(endpoints, organizationId);
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-recording-'));
  try {
    const run = await runnerIn(folder);
    const scenes = [await login(run, endpoints, organizationId)];
    let id = transcriptionId;
    for (const command of commands) {
      const terminal = run(command.replace('ID', id));
      const text = await screenAtEnd(terminal);
      id = /^Transcription +(\S{36})$/m.exec(text)?.[1] ?? id;
      scenes.push(`$ ${command.replace('ID', transcriptionId)}\n${text}`);
    }
    const varying: [string, string][] = [
      [endpoints.apiUrl, shown.apiUrl],
      [new URL(endpoints.tokenUrl).origin, shown.tokens],
      [path.join(folder, 'config'), shown.config],
      [organizationId, organizationName],
      [id, transcriptionId],
    ];
    const text = varying.reduce((text, [from, to]) => text.replaceAll(from, to), scenes.join('\n\n'));
    return text.replace(/^(Created \(UTC\) +).*$/m, `$1${story.endDate.slice(0, 16).replace('T', ' ')}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sends the story and the sample recording, and waits until both have arrived. */
async function tell(endpoints: Endpoints, organizationId: string): Promise<void> {
  const events = eventsOf(organizationId);
  await sendEvents(events, { endpoints });
  await sendRecording(endpoints, organizationId);
  const api = insightsApi(endpoints.apiUrl, () => requestToken(endpoints, organizationId));
  const { difference } = await untilApiAgrees(recount(organizationId, events), api);
  if (difference !== undefined) throw new Error(`The API does not agree: ${difference}.`);
}

async function sendRecording(endpoints: Endpoints, organizationId: string): Promise<void> {
  const s3 = new S3Client(clientSettings(endpoints.s3Url));
  const sqs = new SQSClient(clientSettings(endpoints.sqsUrl));
  const dynamodb = new DynamoDBClient(clientSettings(endpoints.dynamodbUrl));
  const location = { bucket: endpoints.buckets.recordings, key: `${organizationId}/${recordingId}.wav` };
  const Body = await readFile(new URL('../../tools/local/sample/recording.wav', import.meta.url));
  await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body }));
  const data = { ...story, filename: 'standup.wav', location };
  const event = { id: recordingId, type: 'recording.finished', organizationId, createdAt: story.endDate, data };
  await sqs.send(new SendMessageCommand({ QueueUrl: endpoints.queues.roomEvents, MessageBody: JSON.stringify(event) }));
  const Key = { organizationId: { S: organizationId }, recordingId: { S: recordingId } };
  for (const limit = Date.now() + limitMs; ; await pause(50)) {
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName: endpoints.tables.recordings, Key }));
    if (Item) break;
    if (Date.now() > limit) throw new Error('The event of the recording has not arrived.');
  }
  for (const client of [s3, sqs, dynamodb]) client.destroy();
}

type Run = (line: string) => Terminal;

/** Runs lines of bash in a terminal without colours; `roomscribe` is on the PATH, and keeps everything in the folder. */
async function runnerIn(folder: string): Promise<Run> {
  const bin = await roomscribeOnPath(folder, [process.execPath, path.resolve('client/cli/main.ts')]);
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: folder,
    NO_COLOR: '1',
    ROOMSCRIBE_CONFIG_DIR: path.join(folder, 'config'),
    ROOMSCRIBE_CACHE_DIR: path.join(folder, 'cache'),
  };
  return (line) => startTerminal(['bash', '--norc', '-c', line], { env, cwd: folder });
}

async function login(run: Run, { apiUrl, tokenUrl }: Endpoints, organizationId: string): Promise<string> {
  const terminal = run('roomscribe login');
  const answers = [apiUrl, tokenUrl, organizationId, 'local'];
  const questions = [/API URL/, /Token URL/, /Client id/, /Client secret/];
  for (const [index, question] of questions.entries()) {
    await terminal.until(question);
    terminal.type(`${answers[index]}\r`);
  }
  return `$ roomscribe login\n${await screenAtEnd(terminal)}`;
}

async function screenAtEnd(terminal: Terminal): Promise<string> {
  const stuck = setTimeout(() => void terminal.close(), limitMs);
  await terminal.exitCode;
  clearTimeout(stuck);
  return (await terminal.screen()).replace(/ +$/gm, '');
}
