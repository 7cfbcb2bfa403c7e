import fc from 'fast-check';
import { participantSortFields, roomSessionSortFields, roomSortFields } from '#shared/contracts/insights/insights.ts';
import { noFaults } from '../../support/process.ts';
import type { ApiFunction } from '../../support/world.ts';
import { addTo } from '../knowledge.ts';
import { recordingIds, type Scene } from '../scene.ts';
import { action, anyOwner, type StepFaults } from './action.ts';
import { bring, recordingEvent } from './platform.ts';
import { keyOf, send, sendDeletion } from './requests.ts';

const recording = fc.nat(recordingIds.length - 1);
const transcription = fc.nat(9);
const idempotencyKey = fc.constantFrom(null, null, 'key-1', 'key-2');
const withoutFaults: StepFaults = { plan: noFaults, reached: () => 0 };

/** The token of the link in an answer. */
export function tokenOf(body: unknown): string {
  return (
    String((body as { readonly accessLink?: unknown }).accessLink)
      .split('/')
      .at(-1) ?? ''
  );
}

/** The requests of clients. */
export const apiActions = {
  create: action(
    ['transcriptions'],
    14,
    fc.record({ owner: anyOwner, recording, idempotencyKey, isKnown: fc.constantFrom(true, true, true, true, false) }),
    async (scene, data, faults) => {
      const organizationId = scene.organization(data.owner);
      if (data.isKnown) await makeKnown(scene, organizationId, data.recording);
      await create(scene, organizationId, data, faults);
    },
  ),

  'create, delete and create again': action(
    ['transcriptions'],
    6,
    fc.record({ owner: anyOwner, recording, isStarted: fc.boolean() }),
    async (scene, { owner, recording, isStarted }, faults) => {
      const organizationId = scene.organization(owner);
      await makeKnown(scene, organizationId, recording);
      const transcriptionId = await create(scene, organizationId, { recording }, withoutFaults);
      if (transcriptionId === undefined) return;
      if (isStarted) await scene.world.deliver('transcriptionJobs');
      await scene.world.states.observe();
      const deletion = { name: 'deleteTranscription', organizationId, transcriptionId } as const;
      await sendDeletion(scene, deletion, [transcriptionId], withoutFaults);
      await create(scene, organizationId, { recording }, faults);
    },
  ),

  get: action(
    ['transcriptions'],
    1,
    fc.record({ owner: anyOwner, transcription }),
    async (scene, { owner, transcription }, faults) => {
      const transcriptionId = scene.transcriptionId(transcription);
      const organizationId = scene.organization(owner);
      await send(scene, { name: 'getTranscription', organizationId, transcriptionId, expected: [200, 404] }, faults);
    },
  ),

  link: action(
    ['transcriptions'],
    1,
    fc.record({ owner: anyOwner, transcription }),
    async (scene, { owner, transcription }, faults) => {
      const transcriptionId = scene.transcriptionId(transcription);
      const organizationId = scene.organization(owner);
      const call = { name: 'createAccessLink', organizationId, transcriptionId, expected: [200, 403, 404] } as const;
      const answer = await send(scene, call, faults);
      if (answer?.status === 200)
        scene.knowledge.links.push({ organizationId, transcriptionId, token: tokenOf(answer.body), isRevoked: false });
    },
  ),

  'revoke links': action(
    ['transcriptions'],
    1,
    fc.record({ owner: anyOwner, transcription }),
    async (scene, { owner, transcription }, faults) => {
      const transcriptionId = scene.transcriptionId(transcription);
      const organizationId = scene.organization(owner);
      const call = { name: 'revokeAccessLinks', organizationId, transcriptionId, expected: [204] } as const;
      if (!(await send(scene, call, faults))) return;
      for (const link of scene.knowledge.links)
        if (link.organizationId === organizationId && link.transcriptionId === transcriptionId) link.isRevoked = true;
    },
  ),

  list: action(
    ['transcriptions'],
    1,
    fc.record({
      owner: anyOwner,
      query: fc.constantFrom('', 'state=ready', 'roomName=%2Fstandup', 'sortBy=durationInSeconds:asc'),
    }),
    async (scene, { owner, query }, faults) => {
      const organizationId = scene.organization(owner);
      await send(scene, { name: 'listTranscriptions', organizationId, query, expected: [200] }, faults);
    },
  ),

  delete: action(
    ['transcriptions'],
    8,
    fc.record({ owner: anyOwner, transcription }),
    async (scene, { owner, transcription }, faults) => {
      const transcriptionId = scene.transcriptionId(transcription);
      const organizationId = scene.organization(owner);
      await sendDeletion(
        scene,
        { name: 'deleteTranscription', organizationId, transcriptionId },
        [transcriptionId],
        faults,
      );
    },
  ),

  'bulk delete': action(
    ['transcriptions'],
    5,
    fc.record({
      owner: anyOwner,
      transcriptions: fc.array(transcription, { minLength: 1, maxLength: 4 }),
      idempotencyKey,
    }),
    async (scene, data, faults) => {
      const transcriptionIds = [...new Set(data.transcriptions.map((each) => scene.transcriptionId(each)))];
      const organizationId = scene.organization(data.owner);
      const call = {
        name: 'bulkDeleteTranscriptions',
        organizationId,
        body: { transcriptionIds },
        ...keyOf(data),
      } as const;
      await sendDeletion(scene, call, transcriptionIds, faults);
    },
  ),

  'read insights': action(
    ['insights'],
    2,
    fc.record({
      owner: anyOwner,
      question: fc.oneof(
        sorted('listRoomInsights', roomSortFields, fc.constant({})),
        sorted(
          'listRoomSessionInsights',
          roomSessionSortFields,
          fc.record({ roomName: fc.constantFrom('/standup', '/retro') }),
        ),
        sorted('listParticipants', participantSortFields, fc.record({ externalId: fc.constantFrom('one', 'two') })),
        fc.constantFrom({}, { roomName: '/standup' }).map((query) => ({
          ...{ name: 'listUsage' as const, query: { from: '2026-02-01', to: '2026-04-30', limit: '3', ...query } },
        })),
      ),
    }),
    async (scene, { owner, question: { name, query } }, faults) => {
      const organizationId = scene.organization(owner);
      await send(scene, { name, organizationId, query: String(new URLSearchParams(query)), expected: [200] }, faults);
    },
  ),
};

/** Requests a transcription of a recording. Returns its id, or nothing if none is known to be created. */
async function create(
  scene: Scene,
  organizationId: string,
  { recording, ...data }: { readonly recording: number; readonly idempotencyKey?: string | null },
  faults: StepFaults,
): Promise<string | undefined> {
  const body = { recordingId: recordingIds[recording] };
  const call = { name: 'createTranscription', organizationId, body, expected: [201, 404] } as const;
  const answer = await send(scene, { ...call, ...keyOf(data) }, faults);
  const transcriptionId = answer?.status === 201 ? answer.location?.split('/').at(-1) : undefined;
  if (transcriptionId !== undefined) addTo(scene.knowledge.created, organizationId, transcriptionId);
  return transcriptionId;
}

/** Lets the platform report a recording, unless it has done so. */
async function makeKnown(scene: Scene, organizationId: string, recording: number): Promise<void> {
  if (scene.knowledge.recordings.has(`${organizationId} ${recordingIds[recording]}`)) return;
  const reported = { recording, second: 0, room: '/standup', hasFile: true, isShared: false };
  await bring(scene, 'roomEvents', [await recordingEvent(scene, organizationId, reported)], false);
}

function sorted<Name extends ApiFunction>(
  name: Name,
  fields: readonly string[],
  filter: fc.Arbitrary<Readonly<Record<string, string>>>,
) {
  const order = fc.constantFrom(...fields.flatMap((field) => [`${field}:asc`, `${field}:desc`]));
  return fc.record({
    name: fc.constant(name),
    query: fc.tuple(filter, order).map(([query, sortBy]) => ({ ...query, sortBy, limit: '3' })),
  });
}
