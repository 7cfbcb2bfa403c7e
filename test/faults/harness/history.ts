import fc from 'fast-check';
import type { EventDraft } from '../support/random-history.ts';
import { type Action, areas } from './actions/action.ts';
import { apiActions } from './actions/api-actions.ts';
import { deliveryActions } from './actions/delivery-actions.ts';
import { eventActions } from './actions/event-actions.ts';
import { noticeActions } from './actions/notice-actions.ts';
import { operatorActions } from './actions/operator-actions.ts';
import { serviceActions } from './actions/service-actions.ts';
import { type CallFaultName, callFaults, type PlannedFault } from './call-faults.ts';

/** Every action. To add one, add it to one of these tables. */
export const actions: Readonly<Record<string, Action>> = {
  ...apiActions,
  ...eventActions,
  ...deliveryActions,
  ...serviceActions,
  ...noticeActions,
  ...operatorActions,
};

/** One step: an action, its data, and the faults of the process that it runs. */
export type Step = { readonly action: string; readonly data: object; readonly faults: readonly PlannedFault[] };

/** What happens in a world, one step after the other. It is plain data. */
export type History = readonly Step[];

const maxSteps = 60;
const maxFaultsPerStep = 4;

const faultNames = Object.entries(callFaults).flatMap(([name, { weight }]) =>
  Array.from({ length: weight }, () => name as CallFaultName),
);

const anyFault: fc.Arbitrary<PlannedFault> = fc.record({
  kind: fc.constantFrom(...faultNames),
  call: fc.integer({ min: 1, max: 8 }),
  times: fc.constantFrom(1, 1, 1, 2, 3, 9),
});

const anyFaults = fc.array(anyFault, { maxLength: maxFaultsPerStep, size: 'max' });

/** Steps of some areas. */
function anyStep(chosen: readonly string[]): fc.Arbitrary<Step> {
  const possible = Object.entries(actions).filter(([, action]) => action.areas.some((area) => chosen.includes(area)));
  const steps = possible.map(([name, { weight, data }]) => ({
    weight,
    arbitrary: fc.record({ action: fc.constant(name), data, faults: anyFaults }),
  }));
  return fc.oneof(...steps);
}

/** Most histories concern one area, and what is told of it, so that their steps affect each other. */
const mixes = [
  ['transcriptions'],
  ['transcriptions', 'notices'],
  ['insights'],
  ['insights', 'notices'],
  areas,
] as const;

/** Histories of at most 60 steps, and of at least so many. */
export function anyHistory(minSteps: number): fc.Arbitrary<History> {
  const range = { minLength: minSteps, maxLength: maxSteps, size: 'max' } as const;
  return fc.noBias(fc.oneof(...mixes.map((mix) => fc.array(anyStep(mix), range))));
}

/** The events of sessions and rooms of a history. */
export function draftsOf(history: History): EventDraft[] {
  return history.flatMap(({ data }) => ('draft' in data ? [data.draft as EventDraft] : []));
}
