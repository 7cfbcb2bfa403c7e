import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import {
  type ChangeEvent,
  type Situation,
  type TranscriptionEvent,
  type Transition,
  transitions,
} from '#shared/domain/transcriptions/transcription-states.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { transcriptionKey } from './keys.ts';
import { toRow } from './row.ts';

/** The index attribute that is computed from an attribute of the record and changes with it. */
const derivedAttributes: Partial<Record<keyof TranscriptionRecord, string>> = {
  state: attributeNames.organizationState,
  durationInSeconds: attributeNames.durationInSecondsSort,
  dueAt: attributeNames.dueShard,
};

/** The place of each value of a situation in the item. */
const places = { state: ['state'], type: ['type'], failureCode: ['failure', 'code'] } as const;
type Requirement = {
  readonly path: readonly string[];
  readonly value: string | undefined;
  readonly placeholder: string;
};

/** The condition under which DynamoDB writes an event. `asRead` is the transcription that the caller has read. */
export function conditionOf(event: TranscriptionEvent, asRead?: Pick<TranscriptionRecord, 'state' | 'failure'>) {
  const { from, requiresStateAsRead = false }: Transition = transitions[event];
  const situations = requiresStateAsRead ? from.flatMap((situation) => narrowed(situation, asRead)) : from;
  const required = situations.map((situation, index) =>
    situation === 'nothing'
      ? []
      : Object.entries(situation).map(([name, value]): Requirement => {
          const path = places[name as keyof typeof places];
          return { path, value, placeholder: `:from${index}${name}` };
        }),
  );
  const all = required.flat();
  const values = all.filter(({ value }) => value !== undefined);
  return {
    ConditionExpression: required.map(toExpression).join(' OR '),
    ...(all.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(all.flatMap(({ path }) => path.map((name) => [`#${name}`, name]))),
      ExpressionAttributeValues: Object.fromEntries(values.map(({ placeholder, value }) => [placeholder, value])),
    }),
  };
}

/**
 * The condition, and that the stored revision is the one that the caller has read or assumes. Without it, two changes at once could get
 * the same revision.
 */
export function withRevisionAsRead(
  { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues }: ReturnType<typeof conditionOf>,
  asRead: Pick<TranscriptionRecord, 'revision'> | undefined,
) {
  const isAsRead =
    asRead === undefined
      ? 'attribute_not_exists(transcriptionId)'
      : asRead.revision === undefined
        ? 'attribute_exists(transcriptionId) AND attribute_not_exists(revision)'
        : 'revision = :revisionAsRead';
  // DynamoDB refuses redundant parentheses.
  const whole = ConditionExpression.includes(' OR ') ? `(${ConditionExpression})` : ConditionExpression;
  const values = {
    ...ExpressionAttributeValues,
    ...(asRead?.revision !== undefined && { ':revisionAsRead': asRead.revision }),
  };
  return {
    ConditionExpression: `${whole} AND ${isAsRead}`,
    ExpressionAttributeNames,
    ExpressionAttributeValues: values,
  };
}

/** A situation as the caller has read it: with the same failure code, or without one. Nothing if it is another situation. */
function narrowed(situation: Situation, asRead: Pick<TranscriptionRecord, 'state' | 'failure'> | undefined) {
  if (situation === 'nothing' || situation.state !== asRead?.state) return [];
  return [{ ...situation, failureCode: asRead.failure?.code }];
}

function toExpression(required: readonly Requirement[]): string {
  if (required.length === 0) return 'attribute_not_exists(transcriptionId)';
  const parts = required.map(({ path, value, placeholder }) => {
    const place = path.map((name) => `#${name}`).join('.');
    return value === undefined ? `attribute_not_exists(${place})` : `${place} = ${placeholder}`;
  });
  return `(${parts.join(' AND ')})`;
}

/** The conditional update that writes an event. `record` is the transcription after the event. */
export function updateOf(event: ChangeEvent, record: TranscriptionRecord) {
  const row = toRow(record);
  const { sets, removes } = transitions[event];
  const set = withDerived(sets).filter((name) => row[name] !== undefined);
  const condition = conditionOf(event);
  const removed = withDerived(removes);
  return {
    Key: transcriptionKey(record.organizationId, record.transcriptionId),
    UpdateExpression: [
      `SET ${set.map((name) => `#${name} = :${name}`).join(', ')}`,
      ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: condition.ConditionExpression,
    ExpressionAttributeNames: {
      ...condition.ExpressionAttributeNames,
      ...Object.fromEntries([...set, ...removed].map((name) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ...condition.ExpressionAttributeValues,
      ...Object.fromEntries(set.map((name) => [`:${name}`, row[name]])),
    },
  };
}

function withDerived(names: readonly (keyof TranscriptionRecord)[]): string[] {
  return names.flatMap((name) => {
    const derived = derivedAttributes[name];
    return derived === undefined ? [name] : [name, derived];
  });
}
