import { randomUUID } from 'node:crypto';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { liveSession } from '../../support/insights/live-sessions.ts';
import { api, endpoints, logOf, organization, sendRoomEvent, sqs } from '../../support/machine.ts';

/** The organizations of a worker's finished messages, in their order, of those that the test knows. */
async function finished(worker: string, ...known: readonly string[]): Promise<string[]> {
  const lines = (await logOf(worker)).split('\n').filter((line) => line.includes('"message done"'));
  return lines.map((line) => String(JSON.parse(line).organizationId)).filter((id) => known.includes(id));
}

describe('beside a backlog of another organization', () => {
  it('the event of a quiet organization is served before the rest of the backlog', { timeout: 60_000 }, async () => {
    const [noisy, quiet] = [organization(), organization()];
    const events = 300;
    await Promise.all(Array.from({ length: events / 10 }, (_, batch) => sendRooms(noisy, batch)));
    await sendRoomEvent(quiet, 'room.created', { roomName: '/quiet', endAt: '2027-01-01T00:00:00.000Z' });

    const order = await eventually(async () => {
      const found = await finished('record-room-events', noisy, quiet);
      expect(found).toHaveLength(events + 1);
      return found;
    }, 50_000);

    const later = order.length - order.indexOf(quiet);
    expect(later).toBeGreaterThan(100); // more than can have been in flight with it
  });

  it('the bulk delete of a quiet organization is served between the turns of large ones', {
    timeout: 60_000,
  }, async () => {
    const [noisy, quiet] = [organization(), organization()];
    const session = liveSession(quiet);
    await sendRoomEvent(quiet, 'transcription.finished', session.finished().data);
    await eventually(async () => expect((await api(quiet)('GET', session.path)).status).toBe(200));
    const remove = (organizationId: string, transcriptionIds: readonly string[]) =>
      api(organizationId)('POST', '/v1/transcriptions/bulk-delete', { body: { transcriptionIds } });
    const many = () => Array.from({ length: 300 }, () => randomUUID());

    await Promise.all([remove(noisy, many()), remove(noisy, many())]);
    await remove(quiet, [session.transcriptionId]);

    const order = await eventually(async () => {
      const found = await finished('delete-transcriptions', noisy, quiet);
      expect(found).toContain(quiet);
      expect(await unfinished(noisy)).toBe(0);
      return found;
    }, 50_000);
    expect(order.lastIndexOf(noisy)).toBeGreaterThan(order.indexOf(quiet) + 1);
  });
});

async function sendRooms(organizationId: string, batch: number): Promise<void> {
  const Entries = Array.from({ length: 10 }, (_, index) => ({
    Id: String(index),
    MessageGroupId: organizationId,
    MessageBody: JSON.stringify({
      id: randomUUID(),
      type: 'room.created',
      organizationId,
      createdAt: new Date().toISOString(),
      data: { roomName: `/room-${batch}-${index}`, endAt: '2027-01-01T00:00:00.000Z' },
    }),
  }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: endpoints.queues.roomEvents, Entries }));
}

/** How many of the organization's two bulk deletes are not finished. */
async function unfinished(organizationId: string): Promise<number> {
  const lines = (await logOf('delete-transcriptions')).split('\n').filter((line) => line.includes('"message done"'));
  const ends = lines.map((line) => JSON.parse(line)).filter((line) => line.organizationId === organizationId);
  return 2 - ends.filter(({ left }) => left === 0).length;
}
