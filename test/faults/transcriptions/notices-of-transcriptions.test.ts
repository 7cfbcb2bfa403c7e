import { describe, expect, test } from 'vitest';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { cancelled } from '../support/dynamodb-faults.ts';
import { type ToldScene, toldOf, toldScenes } from '../support/insights/told-scenes.ts';
import { type FaultPlan, failing, killAt, meanwhileAt, pointsOfDeath, serviceError } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world } = await useWorld();
const { scenes, created, ready, start, name } = toldScenes(world);

describe.each(Object.entries<ToldScene>(scenes))('%s', (_name, { make, act, told }) => {
  test('is told once if the process dies before or after any of its calls, and if it comes again', async () => {
    const first = await make();
    await act(first);
    const calls = world.lastCalls.length;
    expect(await toldOf(world, first)).toEqual(told);
    for (const { call, when } of pointsOfDeath(calls)) {
      const subject = await make();
      await act(subject, killAt(call, when));
      const toldByDead = await toldOf(world, subject);
      expect(told.slice(0, toldByDead.length)).toEqual(toldByDead);
      for (const _ of [1, 2]) await act(subject);
      expect(await toldOf(world, subject), `died ${when} call ${call}`).toEqual(told);
    }
  });

  test('is told once if it happens twice at once', async () => {
    const subject = await make();
    await Promise.all([act(subject), act(subject)]);
    expect(await toldOf(world, subject)).toEqual(told);
  });

  test.each([
    ['its transactions conflict with others', cancelled('TransactionConflict', 'None'), 'before'],
    ['the answers to its transactions are lost', serviceError('InternalServerError', 500), 'after'],
  ] as const)('is told once if %s', async (_what, error, when) => {
    const subject = await make();
    await act(subject, failing('TransactWriteItemsCommand', error, when, 2));
    expect(await toldOf(world, subject)).toEqual(told);
  });
});

describe('a creation', () => {
  test('is told once if the process dies before or after any of its calls, and if it is asked for again', async () => {
    const create = async (call?: number, when?: 'before' | 'after') => {
      const recording = await world.recording();
      const { organizationId, recordingId } = recording;
      const plan = call === undefined || when === undefined ? undefined : killAt(call, when);
      await world.api('createTranscription', { organizationId, body: { recordingId } }, plan);
      const calls = world.lastCalls.length;
      const again = await world.api('createTranscription', { organizationId, body: { recordingId } });
      if (again === 'killed') throw new Error('Nobody killed it.');
      const transcriptionId = String(again.location?.split('/').at(-1));
      expect(await toldOf(world, { organizationId, transcriptionId })).toEqual(['transcription.started 1']);
      return calls;
    };
    for (const { call, when } of pointsOfDeath(await create())) await create(call, when);
  });
});

describe('a correction', () => {
  test('that says what is stored already is not told', async () => {
    const subject = await ready();
    for (const _ of [1, 2, 3]) await name('Ada')(subject);
    await name('Bo')(subject);
    expect((await toldOf(world, subject)).slice(2)).toEqual([3, 4].map((n) => `transcription.speakers.changed ${n}`));
  });

  test('and a deletion at any of its calls never get the same revision, and the deletion is the last', async () => {
    const first = await ready();
    await name('Ada')(first);
    for (let call = 1; call <= world.lastCalls.length; call++) {
      const subject = await ready();
      await name('Ada')(
        subject,
        meanwhileAt(call, () => scenes['a deletion'].act(subject)),
      );
      const told = await toldOf(world, subject);
      expect(told.map((each) => Number(each.split(' ')[1]))).toEqual(told.map((_, index) => index + 1));
      expect(told.at(-1)).toMatch(/^transcription.deleted/);
    }
  });

  test('at any call of a deletion never gets the same revision, and is told before it or refused', async () => {
    const first = await ready();
    await scenes['a deletion'].act(first);
    for (let call = 1; call <= world.lastCalls.length; call++) {
      const subject = await ready();
      await scenes['a deletion'].act(
        subject,
        meanwhileAt(call, () => name('Ada')(subject)),
      );
      const told = await toldOf(world, subject);
      expect(told.map((each) => Number(each.split(' ')[1]))).toEqual(told.map((_, index) => index + 1));
      expect(told.at(-1)).toMatch(/^transcription.deleted/);
    }
  });

  test('and another one at any of its calls are both told', async () => {
    const first = await ready();
    await name('Ada')(first);
    for (let call = 1; call <= world.lastCalls.length; call++) {
      const subject = await ready();
      await name('Ada')(
        subject,
        meanwhileAt(call, () => name('Bo')(subject)),
      );
      const told = await toldOf(world, subject);
      expect(told.slice(2)).toEqual([3, 4].map((n) => `transcription.speakers.changed ${n}`));
    }
  });
});

describe('a write that meets a transaction on its item', () => {
  const conflict = (): FaultPlan => {
    const plan = failing('UpdateItemCommand', serviceError('TransactionConflictException', 400), 'before', 3);
    const table = world.resources.tables.transcriptions;
    return (call) => ((call.input as { TableName?: string } | undefined)?.TableName === table ? plan(call) : undefined);
  };

  test('is made after it: the start of a job, and a revocation of links', async () => {
    const subject = await created();
    expect(await start(subject, conflict())).toBe(0);
    expect(await world.api('revokeAccessLinks', subject, conflict())).toMatchObject({ status: 204 });
    expect(
      (await world.states.rows()).find(({ transcriptionId }) => transcriptionId === subject.transcriptionId),
    ).toMatchObject({
      jobStartedAt: expect.any(String),
      linksValidFrom: expect.any(String),
    });
  });

  test('is made after it: a check of the reconciler that is postponed', async () => {
    const { transcriptionId } = await created();
    world.clock = new Date(world.clock.getTime() + 3_600_000);
    await world.reconcile(conflict());
    const row = (await world.states.rows()).find((each) => each.transcriptionId === transcriptionId);
    expect(Date.parse(String(row?.dueAt))).toBeGreaterThan(world.clock.getTime());
  });

  test('is made after it: the removal of speakers', async () => {
    const subject = await ready();
    const plan = failing('DeleteItemCommand', serviceError('TransactionConflictException', 400), 'before', 3);
    expect(await world.api('deleteTranscription', subject, plan)).toMatchObject({ status: 204 });
  });
});
