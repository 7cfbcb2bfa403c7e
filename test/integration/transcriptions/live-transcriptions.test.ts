import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AccessLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { clientOf, codeOf, read } from '../../support/http/checked-api.ts';
import { deliver, keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { organization } from '../../support/machine.ts';

/** A live transcription that is ready, with this file stored by the platform. */
async function readyWithFile(acme: string, file: string, facts: object = {}) {
  const session = liveSession(acme);
  const location = await keepTranscript(session.key(file), 'Hello everyone.');
  await sendToRoomEvents([session.finished({ storageType: 'SERVICE_HOSTED', location, ...facts })]);
  await known(acme, session.path, 'ready');
  return { ...session, link: `${session.path}/access-link?validForSeconds=600` };
}

describe.concurrent('a live transcription', () => {
  it('is in progress from its start, without an end and without a link', async () => {
    const acme = organization();
    const session = liveSession(acme);
    await sendToRoomEvents([session.started()]);

    expect(await known(acme, session.path)).toMatchObject({
      transcriptionId: session.transcriptionId,
      state: 'in_progress',
      type: 'LIVE_TRANSCRIPTION',
      startDate: '2026-03-01T09:00:00.000Z',
      endDate: null,
      durationInSeconds: 0,
      filename: null,
    });
  });

  it('has no link before it ends', async () => {
    const acme = organization();
    const session = liveSession(acme);
    const location = await keepTranscript(session.key('early.md'), 'Hello');
    await sendToRoomEvents([{ ...session.started(), data: { ...session.started().data, location } }]);
    await known(acme, session.path);

    const answer = await clientOf(acme)('GET', `${session.path}/access-link`);

    expect([answer.status, codeOf(answer)]).toEqual([403, 'transcription_not_ready']);
  });

  it('stored by the service can be downloaded in its one format', async () => {
    const acme = organization();
    const { link } = await readyWithFile(acme, 'minutes.vtt', { filename: 'minutes.vtt' });
    const call = clientOf(acme);

    for (const query of ['', '&format=vtt']) {
      const { accessLink } = read(AccessLink, await call('GET', `${link}${query}`));
      expect(await (await fetch(accessLink)).text()).toBe('Hello everyone.');
      expect(new URL(accessLink).searchParams.get('response-content-type')).toBe('text/vtt; charset=utf-8');
    }
    const other = await call('GET', `${link}&format=md`);
    expect([other.status, codeOf(other)]).toEqual([404, 'transcript_not_found']);
  });

  it('without a file has no link', async () => {
    const acme = organization();
    const session = liveSession(acme);
    await sendToRoomEvents([session.finished({ storageType: 'SERVICE_HOSTED' })]);
    await known(acme, session.path);

    const answer = await clientOf(acme)('GET', `${session.path}/access-link`);

    expect([answer.status, codeOf(answer)]).toEqual([404, 'transcript_not_found']);
  });

  it('stored by the customer is ready and has no link', async () => {
    const acme = organization();
    const session = liveSession(acme);
    const location = { bucket: 'a-bucket-of-acme', key: 'live/minutes.md' };
    await sendToRoomEvents([session.finished({ storageType: undefined, location })]);

    expect(await known(acme, session.path)).toMatchObject({ storageType: 'SELF_HOSTED', filename: 'minutes.md' });
    const answer = await clientOf(acme)('GET', `${session.path}/access-link`);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'self_hosted']);
  });

  it('states why it failed, and is not billed if it did', async () => {
    const acme = organization();
    const session = liveSession(acme);
    await sendToRoomEvents([session.failed()]);

    expect(await known(acme, session.path)).toMatchObject({
      state: 'failed',
      failure: { code: 'engine_error', message: 'The captions engine died.' },
      durationInSeconds: 0,
    });
  });

  it('accepts dates with any offset and shows them in UTC', async () => {
    const acme = organization();
    const session = liveSession(acme, { startDate: '2026-03-01T11:00:00.5+02:00' });
    await sendToRoomEvents([session.finished({ endDate: '2026-03-01T04:30:00-05:00' })]);

    expect(await known(acme, session.path)).toMatchObject({
      startDate: '2026-03-01T09:00:00.500Z',
      endDate: '2026-03-01T09:30:00.000Z',
    });
  });
});

const names = [
  'minutes.md\r\nSet-Cookie: session=stolen',
  'say "hello"\\.md',
  'Протокол встречи 会議 🎙️.md',
  '../../etc/passwd',
  'a;filename=b.exe',
  "o'brien %0d%0a.md",
];

describe.concurrent('a hostile file name', () => {
  it.each(names)('produces no unsafe header: %j', async (filename) => {
    const acme = organization();
    const { link } = await readyWithFile(acme, `${randomUUID()}.md`, { filename });

    const { accessLink } = read(AccessLink, await clientOf(acme)('GET', link));

    const disposition = new URL(accessLink).searchParams.get('response-content-disposition') ?? '';
    expect(disposition).toMatch(
      /^attachment; filename(\*=UTF-8''[\w!#$&+.^`|~%-]+|=("([^"\\\r\n]|\\.)*"|[\w!#$%&'*+.^`|~-]+))(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/,
    );
    expect(disposition).toMatch(/^[\x20-\x7e]+$/);
    expect(disposition).not.toContain('/');
    expect((await fetch(accessLink)).headers.get('set-cookie')).toBeNull();
  });
});

describe.concurrent('the events of a live transcription', () => {
  const orders: readonly (readonly ('started' | 'finished' | 'failed')[])[] = (['finished', 'failed'] as const).flatMap(
    (end) =>
      [
        ...[['started', end], [end, 'started'], [end]],
        ...[
          ['started', 'started', end, end],
          ['started', end, 'started', end],
          ['started', end, end, 'started'],
        ],
        ...[
          [end, 'started', 'started', end],
          [end, 'started', end, 'started'],
          [end, end, 'started', 'started'],
        ],
      ] as const,
  );

  it.each(orders.map((order) => ({ order, name: order.join(', ') })))(
    'end alike in the order $name',
    async ({ order }) => {
      const acme = organization();
      const [session, model] = [liveSession(acme), liveSession(acme)];
      const end = order.find((type) => type !== 'started') ?? 'finished';
      await deliver('record-room-events', [model.started()]);
      await deliver('record-room-events', [model[end]()]);

      const events = { started: session.started(), finished: session.finished(), failed: session.failed() };
      for (const type of order) expect(await deliver('record-room-events', [events[type]])).toBe(0);

      const { transcriptionId: _, roomSessionId: __, ...outcome } = await known(acme, session.path);
      expect(await known(acme, model.path)).toMatchObject(outcome);
      expect(outcome.state).toBe(end === 'failed' ? 'failed' : 'ready');
    },
  );

  it('have the same result if all of them arrive at once', async () => {
    const acme = organization();
    const sessions = Array.from({ length: 8 }, () => liveSession(acme));
    const copies = sessions.flatMap((session) => [session.finished(), session.started(), session.finished()]);

    await sendToRoomEvents([...copies, ...copies]);

    const outcomes = await Promise.all(sessions.map(({ path }) => known(acme, path, 'ready')));
    const same = outcomes.map(({ transcriptionId: _, roomSessionId: __, ...facts }) => JSON.stringify(facts));
    expect(new Set(same).size).toBe(1);
  });

  it('keep the first end if they contain two', async () => {
    const acme = organization();
    const session = liveSession(acme);

    await deliver('record-room-events', [session.failed()]);
    await deliver('record-room-events', [session.finished()]);

    expect(await known(acme, session.path)).toMatchObject({ state: 'failed' });
  });
});
