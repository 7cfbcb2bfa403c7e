import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, expect, inject, test } from 'vitest';
import type { RoomSessionInsight } from '#shared/contracts/insights.ts';
import { record } from '#tools/local/meeting/record.ts';
import { eventually } from '../support/eventually.ts';
import { api, endpoints, organization, sqs } from '../support/machine.ts';
import { connect } from './connect.ts';
import { killPrograms, startLivekit, startParticipant } from './programs.ts';

afterAll(killPrograms);

test('a session of a LiveKit that is killed stays open, and says that its end is inferred after an operator closed it', async () => {
  const acme = organization();
  const room = `killed-${randomUUID()}`;
  const file = path.join(inject('machine').temporaryFolder, 'quiet.wav');
  await record({ lines: [], from: 0, to: 60 }, file, ['-c:a', 'pcm_s16le'], AbortSignal.timeout(30_000));
  const livekit = await startLivekit(await connect(acme));
  await startParticipant(livekit, room, 'ada', file).says('"participant":"joined"');
  const session = async () => {
    const query = { 'roomName[exact]': `/${room}` };
    const { body } = await api(acme)<{ results: RoomSessionInsight[] }>('GET', '/v1/insights/room-sessions', { query });
    const [only] = body.results;
    if (only?.totalUniqueParticipants !== 1) throw new Error('The participant has not arrived yet.');
    return only;
  };
  await eventually(session);
  livekit.server.kill('SIGKILL');
  await livekit.server.ended;
  const open = await session();
  expect(open).toMatchObject({ endedAt: null, completeness: { state: 'observed', missing: [] } });

  const createdAt = new Date().toISOString();
  const data = { roomName: open.roomName, roomSessionId: open.roomSessionId };
  const end = { type: 'room.session.ended', inferred: true, reason: 'operator' };
  const MessageBody = JSON.stringify({ id: randomUUID(), organizationId: acme, createdAt, ...end, data });
  await sqs.send(new SendMessageCommand({ QueueUrl: endpoints.queues.roomEvents, MessageBody, MessageGroupId: acme }));

  const closed = await eventually(async () => {
    const read = await session();
    expect(read.endedAt).toBe(createdAt);
    return read;
  });
  expect(closed.completeness).toMatchObject({ state: 'inferred', missing: expect.arrayContaining(['end', 'leave']) });
});
