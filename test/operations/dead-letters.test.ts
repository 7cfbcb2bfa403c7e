import { describe, expect, it } from 'vitest';
import { TranscriptionPage } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { eventually } from '../support/eventually.ts';
import { clientOf, read } from '../support/http/checked-api.ts';
import { asciiJson, known, type LiveEvent, liveSession, sendToRoomEvents } from '../support/insights/live-sessions.ts';
import { endpoints, logOf, organization } from '../support/machine.ts';
import { redrive, sendDeadLetter, takeDeadLetters } from '../support/operations/dead-letters.ts';
import { uuid } from '../support/operations/records.ts';

/** A valid event, except for the change that the test makes. */
const eventWith = (organizationId: string, facts: object): LiveEvent => ({
  ...liveSession(organizationId).started(),
  ...facts,
});

/** Messages that no retry can fix. Each contains a text that identifies it. */
const poisons: readonly (readonly [
  what: string,
  make: (acme: string) => Promise<object | string> | object | string,
])[] = [
  ['of an unknown type', (acme) => eventWith(acme, { type: 'room.imagined' })],
  ['of a type of the other queue', (acme) => eventWith(acme, { type: 'room.client.sampled' })],
  ['that is no JSON', (acme) => `{"organizationId":"${acme}",`],
  ['that is a list', (acme) => [eventWith(acme, {})]],
  ['without an organization', (acme) => eventWith(acme, { organizationId: undefined, note: acme })],
  ['of an organization that is no id', (acme) => eventWith(acme, { organizationId: `${acme} # other` })],
  ['without a time zone', (acme) => eventWith(acme, { createdAt: '2026-03-01T09:00:00' })],
  ['of a room with a lone surrogate', (acme) => liveSession(acme, { roomName: '/\ud800' }).started()],
  ['of a room without a slash', (acme) => liveSession(acme, { roomName: 'daily' }).started()],
  ['that ends before it starts', (acme) => liveSession(acme).finished({ endDate: '2026-02-28T00:00:00Z' })],
  ["that claims another organization's generated file", (acme) => claimOf(acme, `generated/${organization()}/1/a.md`)],
  ["that claims another organization's live file", (acme) => claimOf(acme, `live/${organization()}/${uuid(1)}/a.md`)],
  ['that claims a live file of another transcription', (acme) => claimOf(acme, `live/${acme}/${uuid(1)}/a.md`)],
  ['of a key with dot segments', (acme) => claimOf(acme, `live/${acme}/${uuid(1)}/../a.md`)],
];

function claimOf(acme: string, key: string): object {
  const location = { bucket: String(endpoints.buckets.transcripts), key };
  return liveSession(acme).finished({ storageType: 'SERVICE_HOSTED', location });
}

describe.concurrent('an event', { timeout: 60_000 }, () => {
  it('becomes a dead letter if it cannot be stored, and never blocks the others in its batch', async () => {
    const acme = organization();
    const marks = poisons.map((_, index) => `${acme}-${10 + index}`); // no mark is a prefix of another
    const bad = await Promise.all(poisons.map(([, make], index) => make(String(marks[index]))));
    const good = Array.from({ length: 9 }, () => liveSession(acme));

    const ids = await sendToRoomEvents([...good.map((session) => session.started()), ...bad]);

    await Promise.all(good.map(({ path }) => known(acme, path)));
    const letters = await takeDeadLetters(marks);
    expect(letters).toEqual(bad.map((body) => (typeof body === 'string' ? body : asciiJson(body))));
    const page = read(TranscriptionPage, await clientOf(String(marks[0]))('GET', '/v1/transcriptions'));
    expect(page.results).toEqual([]);
    await eventually(async () => {
      const runs = await runsOf(ids);
      expect(runs).toEqual([...good.map(() => ({ done: 1, failed: 0 })), ...bad.map(() => ({ done: 0, failed: 5 }))]);
    });
  });

  it('is stored once if it is redriven twice from the dead-letter queue', async () => {
    const acme = organization();
    const session = liveSession(acme);
    const [started, finished] = [session.started(), session.finished()];
    for (const event of [started, finished, started, finished]) await sendDeadLetter(event);

    for (const event of [finished, started, started, finished]) await redrive(event.id);

    expect(await known(acme, session.path, 'ready')).toMatchObject({ durationInSeconds: 600 });
    const page = read(TranscriptionPage, await clientOf(acme)('GET', '/v1/transcriptions'));
    expect(page.results).toHaveLength(1);
  });

  it('returns to the dead-letter queue if it is redriven while still invalid', async () => {
    const acme = organization();
    await sendDeadLetter(eventWith(acme, { type: 'room.imagined' }));

    await redrive(acme);

    expect(await takeDeadLetters([acme])).toEqual([expect.stringContaining('room.imagined')]);
  });
});

/** How often the worker has logged each message as done or failed. */
async function runsOf(messageIds: readonly string[]): Promise<{ done: number; failed: number }[]> {
  const lines = (await logOf('record-room-events')).split('\n');
  return messageIds.map((id) => {
    const own = lines.filter((line) => line.includes(id));
    const count = (message: string) => own.filter((line) => line.includes(`"message":"${message}"`)).length;
    return { done: count('message done'), failed: count('message failed') };
  });
}
