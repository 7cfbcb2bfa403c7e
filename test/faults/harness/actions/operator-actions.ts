import fc from 'fast-check';
import { expect } from 'vitest';
import { eraseOrganization } from '#operations/erasure/erase-organization.ts';
import { erasePerson } from '#operations/erasure/erase-person.ts';
import { findParticipations, type Person, transcriptionsOf } from '#operations/erasure/find-person.ts';
import { findTracks } from '#operations/erasure/person-tracks.ts';
import { removing } from '#operations/erasure/removal.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { queueNames } from '#shared/runtime/names.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { expectedInsights, type Insights, questionsOf } from '../../support/insights/insight-model.ts';
import { readInsights } from '../../support/insights/insights-reader.ts';
import { operate } from '../../support/operator.ts';
import { type FaultPlan, noFaults } from '../../support/process.ts';
import { outputOf } from '../../support/transcriptions/fake-transcribe.ts';
import { belongsTo } from '../belongings.ts';
import { addTo } from '../knowledge.ts';
import type { Scene } from '../scene.ts';
import { action, anyOwner, areas } from './action.ts';

const terminal = { show: () => {}, end: () => {}, print: () => {} };
const maxRounds = 500;
const maxErasures = 5;
/** Events and transcriptions of an organization that is worth erasing. */
const minUsed = 3;

/**
 * What the operator does, as docs/operations/erasure.md describes: at most once in a history, and while no other step of the
 * organization runs. Meanwhile the other organizations work.
 */
export const operatorActions = {
  'erase organization': action(
    areas,
    2,
    fc.record({ owner: anyOwner, event: fc.constantFrom('sent', 'lost') }),
    async (scene, { owner, event }, { plan }) => {
      const organizationId = await stop(scene, owner);
      if (organizationId === undefined) return;
      forget(scene, organizationId);
      const { world } = scene;
      const erase = (faults: FaultPlan) =>
        operate(world, faults, (deployment) =>
          eraseOrganization(deployment, OrganizationId.parse(organizationId), removing(deployment), terminal),
        );
      await withFaults(erase, plan);
      for (let remaining = 1, erasures = 0; remaining > 0; erasures++) {
        if (erasures === maxErasures) throw new Error('The erasure leaves something.');
        for (const name of world.transcribe.running().filter((job) => job.includes(`.${organizationId}.`)))
          await world.endJob(name, { output: outputOf('too late') }, { loseEvent: event === 'lost' });
        const erasure = await erase(noFaults);
        remaining = erasure === 'killed' ? 1 : erasure.remaining.jobs + erasure.remaining.rows;
      }
      scene.erased.add(organizationId);
    },
  ),

  'erase person': action(
    ['insights'],
    2,
    fc.record({
      owner: anyOwner,
      person: fc.constantFrom<Person>(
        { participantId: 'ada' },
        { externalId: 'one' },
        { participantId: 'bob', externalId: 'two' },
      ),
    }),
    async (scene, { owner, person }, { plan }) => {
      const organizationId = await stop(scene, owner);
      if (organizationId === undefined) return;
      const { world } = scene;
      const events = world.sent.of(organizationId);
      const read = () => readInsights(world, organizationId, questionsOf(events));
      const before = await read();
      expect(before, 'the insights before the erasure').toEqual(await expectedInsights(organizationId, events));
      world.sent.forget(organizationId);
      // The check of tracks knows nobody who was erased.
      for (const key of scene.knowledge.tracks.keys())
        if (key.startsWith(`${organizationId} `)) scene.knowledge.tracks.delete(key);
      const erase = (faults: FaultPlan) =>
        operate(world, faults, async (deployment) => {
          const id = OrganizationId.parse(organizationId);
          const participations = await findParticipations(deployment, id, person, terminal);
          const tracks = await findTracks(deployment, id, person, participations);
          const sessions = new Set([...participations, ...tracks].flatMap(({ session }) => session ?? []));
          const transcriptions = await transcriptionsOf(deployment, sessions);
          const traces = { person, participations, tracks, transcriptions };
          await erasePerson(deployment, id, traces, removing(deployment), terminal);
          return [...participations, ...tracks];
        });
      await withFaults(erase, plan);
      await erase(noFaults);
      expect(await erase(noFaults), 'what a check finds').toEqual([]);
      const clients = events.flatMap(({ data }) => (names(person, data) ? [clientOf(data as Client)] : []));
      const expected = {
        ...without(before, new Set(clients)),
        ...(await networksWithout(clients, before, organizationId, events)),
      };
      expect(await read(), 'the insights after the erasure').toEqual(expected);
    },
  ),
};

type Client = { readonly roomSessionId: string; readonly participantId: string };

/** Ends the work of an organization: nobody sends anything for it any more, and its queues and dead letters are gone. */
async function stop(scene: Scene, owner: number): Promise<string | undefined> {
  const { world, knowledge, stopped } = scene;
  const organizationId = scene.organization(owner);
  const used = world.sent.of(organizationId).length + (knowledge.created.get(organizationId)?.size ?? 0);
  if (scene.depth > 1 || stopped.size > 0 || used < minUsed) return undefined;
  stopped.add(organizationId);
  const { maxRunningJobs } = world.transcribe;
  world.transcribe.maxRunningJobs = Number.POSITIVE_INFINITY;
  await world.queues.redriveAll();
  for (let rounds = 0; world.queues.count('queues') > 0; rounds++) {
    if (rounds > maxRounds) throw new Error('The queues do not become empty.');
    for (const queue of queueNames) await world.deliver(queue);
  }
  world.transcribe.maxRunningJobs = maxRunningJobs;
  await world.queues.discardDeadLetters((letter) => belongsTo(organizationId, letter));
  knowledge.refused = knowledge.refused.filter((message) => !belongsTo(organizationId, message));
  return organizationId;
}

/** From now on, nothing of the organization is expected. A file that others name as well is gone, too. */
function forget({ world, knowledge, sharedFolder }: Scene, organizationId: string): void {
  knowledge.forget(organizationId);
  world.sent.forget(organizationId);
  world.states.erased.add(organizationId);
  for (const [key, events] of knowledge.recordings) {
    const [other = '', recordingId = ''] = key.split(' ');
    if (events.some((event) => event.key.startsWith(sharedFolder))) addTo(knowledge.withoutFile, other, recordingId);
  }
}

/** The operator repeats a command that fails. */
async function withFaults(command: (plan: FaultPlan) => Promise<unknown>, plan: FaultPlan): Promise<void> {
  await command(plan).catch(() => undefined);
}

function names({ participantId, externalId }: Person, data: object): boolean {
  const found = data as { readonly participantId?: string; readonly externalId?: string };
  const hasExternalId = externalId !== undefined && found.externalId === externalId;
  return (participantId !== undefined && found.participantId === participantId) || hasExternalId;
}

function clientOf({ roomSessionId, participantId }: Client): string {
  return `${roomSessionId.toLowerCase()} ${participantId}`;
}

/** The network of each session, from the samples of the others. */
async function networksWithout(
  clients: readonly string[],
  before: Insights,
  organizationId: string,
  events: readonly PlatformEvent[],
): Promise<Pick<Insights, 'networks'>> {
  const isOfOthers = ({ type, data }: PlatformEvent) =>
    type !== 'room.client.sampled' || !clients.includes(clientOf(data as Client));
  const { networks } = await expectedInsights(organizationId, events.filter(isOfOthers));
  return { networks: mapped(before.networks, (session) => networks[session] ?? []) };
}

/** The insights without the rows and details of some participants. Totals do not change. */
function without({ participants, externalIds, details, ...totals }: Insights, clients: ReadonlySet<string>): Insights {
  const others = (lists: Insights['participants']) =>
    mapped(lists, (_, list) => list.filter((participant) => !clients.has(clientOf(participant))));
  return {
    ...totals,
    participants: others(participants),
    externalIds: others(externalIds),
    details: mapped(details, (client, list) => {
      const [roomSessionId = '', participantId = ''] = JSON.parse(client);
      return clients.has(clientOf({ roomSessionId, participantId })) ? [] : list;
    }),
  };
}

function mapped<Value>(
  values: Readonly<Record<string, Value>>,
  change: (name: string, value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
}
