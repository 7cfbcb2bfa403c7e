import type { CapturedLogs } from '../support/captured-logs.ts';
import type { World } from '../support/world.ts';
import { planOf } from './call-faults.ts';
import { noticeInvariantsAtRest } from './deliveries.ts';
import { actions, draftsOf, type History, type Step } from './history.ts';
import { invariantsAtRest, invariantsOfEachStep } from './invariants.ts';
import { comeToRest } from './rest.ts';
import { Scene } from './scene.ts';
import type { Tally } from './tally.ts';

/** An invariant that did not hold, and why. */
export type Problem = { readonly invariant: string; readonly reason: string };

/** Faults that were reached, and the first problem, if there was one. */
export type Played = { readonly tally: Tally; readonly problem: Problem | undefined };

const maxValueLength = 1_000;
let scenes = 0;

/** Plays a history in a world, lets it come to rest without faults, and asks every invariant. */
export async function play(world: World, logs: CapturedLogs, history: History): Promise<Played> {
  logs.forget();
  await world.empty();
  const scene = new Scene(world, logs, `org-${++scenes}`, draftsOf(history));
  const problem = (await takeSteps(scene, history)) ?? (await rest(scene));
  return {
    tally: scene.tally,
    problem: problem ?? (await firstBroken({ ...invariantsAtRest, ...noticeInvariantsAtRest }, scene)),
  };
}

async function takeSteps(scene: Scene, history: History): Promise<Problem | undefined> {
  const steps = [...history];
  let problem: Problem | undefined;
  const takeNext = async () => {
    const step = steps.shift();
    if (!step) return;
    const found = await takeStep(scene, step);
    problem ??= found;
    if (problem) steps.length = 0;
  };
  scene.meanwhile = takeNext;
  while (steps.length > 0) await takeNext();
  return problem;
}

async function takeStep(scene: Scene, step: Step): Promise<Problem | undefined> {
  const skewMs = scene.skewMs;
  scene.depth++;
  try {
    const action = actions[step.action];
    if (!action) throw new Error(`There is no action "${step.action}".`);
    const repeat = async () => {
      const problem = await takeStep(scene, { ...step, faults: [] });
      if (problem) scene.problems.push(`${problem.invariant}: ${problem.reason}`);
    };
    await action.run(scene, step.data as never, planOf(step.faults, scene, repeat)); // the data of this action
  } catch (error) {
    return {
      invariant: `the step "${step.action}" can be taken`,
      reason: String(error instanceof Error ? error.stack : error),
    };
  } finally {
    scene.depth--;
    scene.world.clock = new Date(scene.world.clock.getTime() - (scene.skewMs - skewMs));
    scene.skewMs = skewMs;
  }
  return firstBroken(invariantsOfEachStep, scene);
}

async function rest(scene: Scene): Promise<Problem | undefined> {
  try {
    await comeToRest(scene);
    return undefined;
  } catch (error) {
    return { invariant: 'the world comes to rest', reason: String(error) };
  }
}

async function firstBroken(
  invariants: Readonly<Record<string, (scene: Scene) => Promise<void>>>,
  scene: Scene,
): Promise<Problem | undefined> {
  for (const [invariant, check] of Object.entries(invariants)) {
    try {
      await check(scene);
    } catch (error) {
      return { invariant, reason: reasonOf(error) };
    }
  }
  return undefined;
}

/** The message of a failed assertion abbreviates values. */
function reasonOf(error: unknown): string {
  const { actual, expected } = error as { readonly actual?: unknown; readonly expected?: unknown };
  const message = error instanceof Error ? error.message : String(error);
  if (actual === undefined && expected === undefined) return message;
  const [is, mustBe] = [actual, expected].map((value) => JSON.stringify(value)?.slice(0, maxValueLength));
  return `${message}\nIt is ${is}\nand must be ${mustBe}`;
}
