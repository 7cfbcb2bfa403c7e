import fc from 'fast-check';
import { participantSortFields, roomSessionSortFields, roomSortFields } from '#shared/contracts/insights.ts';
import type { ApiCall, Outcome } from '../../support/api-call.ts';
import type { ApiFunction } from '../../support/world.ts';
import { addTo } from '../knowledge.ts';
import { recordingIds, type Scene } from '../scene.ts';
import { action, anyOwner, type StepFaults } from './action.ts';
import { bring, recordingEvent } from './platform.ts';

type Answer = Exclude<Outcome, 'killed'>;
type Call = ApiCall & { readonly name: ApiFunction; readonly expected: readonly number[] };

const recording = fc.nat(recordingIds.length - 1);
const transcription = fc.nat(9);
const idempotencyKey = fc.constantFrom(null, null, 'key-1', 'key-2');
const keyHours = 24;

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
      const body = { recordingId: recordingIds[data.recording] };
      const call = { name: 'createTranscription', organizationId, body, expected: [201, 404] } as const;
      const answer = await send(scene, { ...call, ...keyOf(data) }, faults);
      if (answer?.status === 201)
        addTo(scene.knowledge.created, organizationId, String(answer.location?.split('/').at(-1)));
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
      ),
    }),
    async (scene, { owner, question: { name, query } }, faults) => {
      const organizationId = scene.organization(owner);
      await send(scene, { name, organizationId, query: String(new URLSearchParams(query)), expected: [200] }, faults);
    },
  ),
};

/** Lets the platform report a recording, unless it has done so. */
async function makeKnown(scene: Scene, organizationId: string, recording: number): Promise<void> {
  if (scene.knowledge.recordings.has(`${organizationId} ${recordingIds[recording]}`)) return;
  const reported = { recording, second: 0, room: '/standup', hasFile: true, isShared: false };
  await bring(scene, 'roomEvents', [await recordingEvent(scene, organizationId, reported)], false);
}

function keyOf({ idempotencyKey }: { readonly idempotencyKey: string | null }) {
  return idempotencyKey === null ? {} : { idempotencyKey };
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

/** Sends a request. Without a fault, the answer must have an expected status. Returns nothing if the process died. */
async function send(
  scene: Scene,
  { name, expected, ...call }: Call,
  { plan, reached }: StepFaults,
): Promise<Answer | undefined> {
  const outcome = await scene.world.api(name, call, plan);
  if (outcome === 'killed') return undefined;
  const ofKeys = call.idempotencyKey === undefined ? [] : [409, 422];
  const isExpected = [...expected, ...ofKeys].includes(outcome.status) || (outcome.status >= 500 && reached() > 0);
  if (!isExpected) scene.problems.push(`${name} was answered with ${outcome.status} ${JSON.stringify(outcome.body)}`);
  if (call.idempotencyKey !== undefined && outcome.status < 300) checkKey(scene, name, call, outcome);
  return outcome;
}

/** A completed call with a key must get the answer of the first one for a day, and another body must be refused. */
function checkKey(
  { knowledge, problems, hour }: Scene,
  name: string,
  { organizationId, idempotencyKey, body }: ApiCall,
  answer: Answer,
): void {
  const place = [organizationId, name, idempotencyKey].join(' ');
  const text = JSON.stringify(body);
  const first = knowledge.keyed.get(place);
  if (!first || hour - first.atHour >= keyHours) {
    knowledge.keyed.set(place, { body: text, location: answer.location, atHour: hour });
  } else if (first.body !== text) {
    problems.push(`${place} was accepted again with another body: ${text} after ${first.body}`);
  } else if (first.location !== answer.location) {
    problems.push(`${place} was answered with ${answer.location} after ${first.location}`);
  }
}

/** Sends a request for deletions. What existed before, and is accepted, must be deleted once the world is at rest. */
async function sendDeletion(
  scene: Scene,
  call: Omit<Call, 'expected'>,
  transcriptionIds: readonly string[],
  faults: StepFaults,
): Promise<void> {
  const { world, knowledge } = scene;
  const { organizationId } = call;
  const present = transcriptionIds.filter((id) => world.states.isAlive(organizationId, id));
  for (const id of transcriptionIds) addTo(knowledge.deletionRequested, organizationId, id);
  const isRepeated = knowledge.keyed.has([organizationId, call.name, call.idempotencyKey].join(' '));
  const overCeiling = call.name === 'bulkDeleteTranscriptions' ? [429] : [];
  const answer = await send(scene, { ...call, expected: [204, ...overCeiling] }, faults);
  if (answer?.status !== 204) for (const id of transcriptionIds) addTo(knowledge.unanswered, organizationId, id);
  if (answer?.status !== 204 || isRepeated) return; // a repeated call with a key deletes nothing more
  for (const id of present) addTo(knowledge.deleted, organizationId, id);
  for (const id of transcriptionIds) knowledge.unanswered.get(organizationId)?.delete(id);
}
