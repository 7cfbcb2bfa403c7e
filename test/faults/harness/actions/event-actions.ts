import fc from 'fast-check';
import { scriptOf } from '../../support/insights/session-script.ts';
import { eventDraft } from '../../support/random-history.ts';
import { liveIds, recordingIds, trackRecordingIds } from '../scene.ts';
import { action, anyOwner, anyOwners, areas } from './action.ts';
import { bring, liveEvent, liveTypes, recordingEvent, sampledSession, sessionEvent, trackEvent } from './platform.ts';

/** A message is handed to its worker at once, or waits in its queue. */
const isQueued = fc.constantFrom(false, false, false, true);
/** Events of one session, of which most workers lose races. */
const oneSession = {
  rooms: ['/standup'],
  sessions: ['own' as const, 'own' as const, 'own too' as const],
  participants: ['ada', 'bob'],
};
const second = fc.constantFrom(0, 1, 60, 3600);

/** The events of the platform. */
export const eventActions = {
  'session event': action(
    ['insights'],
    40,
    fc.record({
      owners: anyOwners,
      draft: fc.oneof(eventDraft(), eventDraft(oneSession), eventDraft(oneSession)),
      isQueued,
    }),
    async (scene, { owners, draft, isQueued }, { plan }) => {
      const index = scene.drafts.indexOf(draft);
      const bodies = owners.map((owner) => sessionEvent(scene, scene.organization(owner), draft, index));
      await bring(scene, 'roomEvents', bodies, isQueued, plan);
    },
  ),

  'many sessions': action(
    ['insights'],
    8,
    fc.record({ owner: anyOwner, count: fc.integer({ min: 8, max: 20 }), first: fc.nat(60), isQueued }),
    async (scene, { owner, count, first, isQueued }, { plan }) => {
      const bodies = Array.from({ length: count }, (_, index) => {
        const roomSessionId = `ffffffff-0000-4000-8000-0000000000${10 + first + index}`;
        const { started, ended } = scriptOf(scene.organization(owner), { roomSessionId });
        return [started(0), ended(60)];
      });
      await bring(scene, 'roomEvents', bodies.flat(), isQueued, plan);
    },
  ),

  'network samples': action(
    ['insights'],
    3,
    fc.record({
      owners: anyOwners,
      participant: fc.constantFrom('ada', 'bob'),
      second,
      values: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
      isQueued,
    }),
    async (scene, { owners, participant, second, values, isQueued }, { plan }) => {
      const bodies = owners.map((owner) => {
        const { sampled } = scriptOf(scene.organization(owner), { roomSessionId: sampledSession });
        return sampled(participant, second, values);
      });
      await bring(scene, 'networkSamples', bodies, isQueued, plan);
    },
  ),

  speech: action(
    ['insights'],
    3,
    fc.record({
      owners: anyOwners,
      participant: fc.constantFrom('ada', 'bob'),
      second,
      lengths: fc.array(fc.constantFrom(0, 1, 30, 4000), { minLength: 1, maxLength: 4 }),
      isQueued,
    }),
    async (scene, { owners, participant, second, lengths, isQueued }, { plan }) => {
      const bodies = owners.map((owner) => {
        const { spoke } = scriptOf(scene.organization(owner), { roomSessionId: sampledSession });
        return spoke(
          participant,
          ...lengths.map((length, index) => [second + index * 20, second + index * 20 + length] as const),
        );
      });
      await bring(scene, 'networkSamples', bodies, isQueued, plan);
    },
  ),

  recording: action(
    ['transcriptions'],
    6,
    fc.record({
      owners: anyOwners,
      recording: fc.nat(recordingIds.length - 1),
      second,
      room: fc.constantFrom('/standup', '/retro'),
      hasFile: fc.constantFrom(true, true, true, true, false),
      isShared: fc.constantFrom(false, false, true),
      isQueued,
    }),
    async (scene, data, { plan }) => {
      const events: object[] = [];
      for (const owner of data.owners) events.push(await recordingEvent(scene, scene.organization(owner), data));
      await bring(scene, 'roomEvents', events, data.isQueued, plan);
    },
  ),

  tracks: action(
    ['transcriptions'],
    4,
    fc.record({
      owners: anyOwners,
      recording: fc.nat(trackRecordingIds.length - 1),
      second,
      participants: fc.subarray(['ada', 'bob'], { minLength: 1 }),
      file: fc.nat(1),
      isAlone: fc.boolean(),
      isQueued,
    }),
    async (scene, data, { plan }) => {
      const events = data.owners.map((owner) => trackEvent(scene, scene.organization(owner), data));
      await bring(scene, 'roomEvents', events, data.isQueued, plan);
    },
  ),

  'live event': action(
    ['transcriptions'],
    6,
    fc.record({
      owner: anyOwner,
      transcription: fc.nat(liveIds.length - 1),
      type: fc.constantFrom(...liveTypes),
      file: fc.constantFrom('own', 'own', 'own', 'none', 'foreign'),
      second,
      isQueued,
    }),
    async (scene, data, { plan }) => {
      const event = await liveEvent(scene, data);
      await bring(scene, 'roomEvents', [event], data.isQueued || data.file === 'foreign', plan);
    },
  ),

  'unreadable message': action(
    areas,
    1,
    fc.record({ owner: anyOwner, queue: fc.constantFrom('roomEvents' as const, 'networkSamples' as const) }),
    async (scene, { owner, queue }) => {
      const message = { organizationId: scene.organization(owner), type: 'unknown' };
      scene.knowledge.refused = [...scene.knowledge.refused, message];
      await scene.world.queues.send(queue, message);
    },
  ),
};
