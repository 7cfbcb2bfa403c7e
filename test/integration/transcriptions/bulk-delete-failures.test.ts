import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { clientOf } from '../../support/http/checked-api.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { dynamodb, endpoints, logOf, organization } from '../../support/machine.ts';
import { transcriptKeysWith } from '../../support/storage/storage.ts';

/** Stores a row that no function can read, so that its transcription cannot be deleted. Returns the id. */
async function unreadableTranscription(organizationId: string): Promise<string> {
  const transcriptionId = randomUUID();
  const Item = {
    organizationId: { S: organizationId },
    transcriptionId: { S: transcriptionId },
    state: { S: 'broken' },
  };
  await dynamodb.send(new PutItemCommand({ TableName: endpoints.tables.transcriptions, Item }));
  return transcriptionId;
}

it('a bulk delete goes on past an id that cannot be deleted and past control characters in keys, and reports what failed', {
  timeout: 90_000,
}, async () => {
  const acme = organization();
  const sessions = [liveSession(acme), liveSession(acme)];
  const [odd] = sessions;
  await sendToRoomEvents(sessions.map((session) => session.finished()));
  await Promise.all(sessions.map(({ path }) => known(acme, path, 'ready')));
  for (const file of ['a\u0001b', 'a\nb', 'a<&>b', 'plain.md']) await keepTranscript(odd?.key(file) ?? '', 'Hello');
  const bad = await unreadableTranscription(acme);
  const transcriptionIds = [bad, ...sessions.map((session) => session.transcriptionId)];

  const answer = await clientOf(acme)('POST', '/v1/transcriptions/bulk-delete', { body: { transcriptionIds } });

  expect(answer.status).toBe(204);
  await eventually(async () => {
    const answers = await Promise.all(sessions.map(({ path }) => clientOf(acme)('GET', path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  }, 30_000);
  expect(await transcriptKeysWith('', `live/${acme}/`)).toEqual([]);
  const reports = (await logOf('delete-transcriptions')).split('\n').filter((line) => line.includes(bad));
  expect(reports).toContainEqual(expect.stringContaining('"transcription not deleted"'));
});
