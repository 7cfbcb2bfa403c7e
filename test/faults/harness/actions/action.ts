import fc from 'fast-check';
import type { FaultPlan } from '../../support/process.ts';
import type { Scene } from '../scene.ts';

/** The faults of the process that an action runs. */
export type StepFaults = { readonly plan: FaultPlan; readonly reached: () => number };

/** The part of the service that an action concerns. A history concerns one area, or several. */
export const areas = ['transcriptions', 'insights', 'notices'] as const;
type Area = (typeof areas)[number];

/** One kind of step. It runs at most one process of the service, which suffers the faults of the step. */
export type Action = {
  readonly areas: readonly Area[];
  /** How often the action is taken, compared with the others. */
  readonly weight: number;
  /** What a step of this kind does, as plain data: a history can be printed, saved and replayed. */
  readonly data: fc.Arbitrary<object>;
  readonly run: (scene: Scene, data: never, faults: StepFaults) => Promise<void>;
};

/** Defines an action with data of one type. */
export function action<Data extends object>(
  areas: readonly Area[],
  weight: number,
  data: fc.Arbitrary<Data>,
  run: (scene: Scene, data: Data, faults: StepFaults) => Promise<void>,
): Action {
  return { areas, weight, data, run };
}

/** One organization by its place. The first one does most. */
export const anyOwner = fc.constantFrom(0, 0, 0, 1, 1, 2);
/** Organizations that all do the same. */
export const anyOwners = fc.constantFrom([0], [0], [0], [1], [0, 1], [0, 1, 2]);
