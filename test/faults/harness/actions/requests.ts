import type { ApiCall, Outcome } from '../../support/api-call.ts';
import type { ApiFunction } from '../../support/world.ts';
import { addTo } from '../knowledge.ts';
import type { Scene } from '../scene.ts';
import type { StepFaults } from './action.ts';

type Answer = Exclude<Outcome, 'killed'>;
type Call = ApiCall & { readonly name: ApiFunction; readonly expected: readonly number[] };

const keyHours = 24;

/** Sends a request. Without a fault, the answer must have an expected status. Returns nothing if the process died. */
export async function send(
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
export async function sendDeletion(
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

/** The idempotency key of a call, if its data has one. */
export function keyOf({ idempotencyKey = null }: { readonly idempotencyKey?: string | null }) {
  return idempotencyKey === null ? {} : { idempotencyKey };
}
