import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { removeConnections } from '#operations/erasure/organization-connections.ts';
import { removeHooks } from '#operations/erasure/person-hooks.ts';
import { removing } from '#operations/erasure/removal.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import { hooksOfOrganization } from '#shared/domain/transcriptions/transcript-location.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { secretsManager } from '../../support/machine.ts';
import { secretPrefix } from '../support/functions.ts';
import {
  connect,
  type DailyHook,
  meeting,
  platformRows,
  signed,
  stored,
} from '../support/notices/connected-platform.ts';
import { operate } from '../support/operator.ts';
import { type FaultPlan, killAt, meanwhileAt, noFaults, pointsOfDeath } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world } = await useWorld();

const terminal = { show: () => {}, end: () => {} };
const parallelDeaths = 6;
const bucket = { bucket: 'recordings-of-acme' };

const translate = async (connection: Connection, hook: DailyHook, plan?: FaultPlan) =>
  world.work('platformHooks', [await stored(world, connection, hook)], plan);

/** Ada and Bob in two meetings, and both waiting for a third one. */
async function peopleOf() {
  const connection = await connect(world, 'daily', bucket);
  for (const room of ['standup', 'weekly']) {
    const { started, joined } = meeting(room, `meeting in ${room}`);
    for (const hook of [started(), joined('ada'), joined('bob')]) expect(await translate(connection, hook)).toBe(0);
  }
  for (const name of ['ada', 'bob'])
    expect(await translate(connection, meeting('later', 'later').joined(name))).toBe(0);
  return connection;
}

/** The keys of all bodies of an organization. */
async function bodiesOf({ organizationId }: Connection): Promise<string[]> {
  const { s3, buckets } = world.resources;
  const folder = { Bucket: buckets.transcripts, Prefix: hooksOfOrganization(organizationId) };
  const found: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, folder))
    found.push(...Contents.map(({ Key }) => String(Key)));
  return found;
}

/** Everybody who is remembered in sessions of an organization. */
async function rememberedIn({ organizationId }: Connection): Promise<string[]> {
  const rows = await platformRows(world, organizationId);
  return rows.flatMap(({ participants }) => Object.values(participants ?? {})).toSorted();
}

const erasePerson = (connection: Connection, plan: FaultPlan) =>
  operate(world, plan, (deployment) => {
    const calls = new Set(['ada', 'connection of ada']);
    return removeHooks(deployment, connection.organizationId, calls, removing(deployment), terminal);
  });

/** What is left of Ada is nothing, and of Bob everything. */
async function expectOnlyBob(connection: Connection): Promise<void> {
  const rows = await platformRows(world, connection.organizationId);
  const remembered = rows.flatMap(({ participants }) => (participants === undefined ? [] : [participants]));
  expect(remembered).toEqual([{ 'connection of bob': 'bob' }, { 'connection of bob': 'bob' }]);
  const bodies = await bodiesOf(connection);
  expect(bodies, 'two starts and three joins of Bob').toHaveLength(5);
  const waiting = rows.flatMap(({ key }) => (key === undefined ? [] : [String(key)]));
  expect(waiting).toHaveLength(1);
  expect(bodies).toContain(waiting[0]);
}

test('the webhooks of a person are removed, wherever the erasure dies', async () => {
  const whole = await peopleOf();
  const calls: string[] = [];
  const count: FaultPlan = ({ command }) => {
    calls.push(command);
    return undefined;
  };
  expect(await erasePerson(whole, count)).not.toBe('killed');
  await expectOnlyBob(whole);
  expect(calls.length).toBeGreaterThan(10);
  await inParallel(pointsOfDeath(calls.length), parallelDeaths, async ({ call, when }) => {
    const connection = await peopleOf();
    expect(await erasePerson(connection, killAt(call, when))).toBe('killed');
    const waiting = (await platformRows(world, connection.organizationId)).flatMap(({ key }) => key ?? []);
    expect(await bodiesOf(connection), 'a wait leads to a body').toEqual(expect.arrayContaining(waiting));
    await erasePerson(connection, noFaults);
    await expectOnlyBob(connection);
  });
});

test('an erasure restores nobody and loses nobody if others are remembered at any of its calls', async () => {
  let calls = 0;
  const count: FaultPlan = () => {
    calls++;
    return undefined;
  };
  await erasePerson(await peopleOf(), count);
  await inParallel(
    Array.from({ length: calls }, (_, index) => index + 1),
    parallelDeaths,
    async (call) => {
      const connection = await peopleOf();
      const { joined } = meeting('standup', 'meeting in standup');
      const join = async () => expect(await translate(connection, joined('eve'))).toBe(0);
      await erasePerson(connection, meanwhileAt(call, join));
      expect(await rememberedIn(connection), `at call ${call}`).toEqual(['bob', 'bob', 'eve']);
    },
  );
});

test('a join that is remembered while the person in the same row is erased adds nobody who was erased', async () => {
  const counted = await peopleOf();
  const { joined } = meeting('standup', 'meeting in standup');
  expect(await translate(counted, joined('eve'))).toBe(0);
  const calls = world.lastCalls.length;
  for (let call = 1; call <= calls; call++) {
    const connection = await peopleOf();
    expect(
      await translate(
        connection,
        joined('eve'),
        meanwhileAt(call, () => erasePerson(connection, noFaults)),
      ),
    ).toBe(0);
    expect(await rememberedIn(connection), `at call ${call}`).toEqual(['bob', 'bob', 'eve']);
  }
});

test('the connections of an organization are removed with their secrets, wherever the erasure dies', async () => {
  const erase = (connection: Connection, plan: FaultPlan) =>
    operate(world, plan, (deployment) =>
      removeConnections(deployment, connection.organizationId, removing(deployment), () => {}),
    );
  const secretOf = async ({ connectionId }: Connection) => {
    const command = new DescribeSecretCommand({ SecretId: `${secretPrefix}${connectionId}` });
    return secretsManager.send(command).then(
      ({ DeletedDate }) => DeletedDate === undefined,
      () => false,
    );
  };
  const whole = await connect(world);
  let calls = 0;
  expect(
    await erase(whole, () => {
      calls++;
      return undefined;
    }),
  ).not.toBe('killed');
  expect(await secretOf(whole)).toBe(false);
  const other = await connect(world);
  for (const { call, when } of pointsOfDeath(calls)) {
    const connection = await connect(world);
    expect(await erase(connection, killAt(call, when))).toBe('killed');
    await erase(connection, noFaults);
    expect(await secretOf(connection)).toBe(false);
    const hook = signed(world, connection, meeting().started());
    expect(await world.post(connection.organizationId, hook)).toMatchObject({ status: 401 });
    expect(await bodiesOf(connection)).toEqual([]);
  }
  expect(await secretOf(other)).toBe(true);
  expect(await world.post(other.organizationId, signed(world, other, meeting().started()))).toMatchObject({
    status: 200,
  });
});
