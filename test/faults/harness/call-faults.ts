import { LimitExceededException } from '@aws-sdk/client-transcribe';
import { cancelled, unprocessedKeys } from '../support/dynamodb-faults.ts';
import { type Call, type Fault, type FaultPlan, serviceError } from '../support/process.ts';
import type { Scene } from './scene.ts';

/**
 * A fault that a call to AWS can suffer. `faultOf` returns undefined for a call that cannot suffer it. To add one, add a row to
 * `callFaults`.
 */
type CallFault = {
  /** How often the fault is planned, compared with the others. */
  readonly weight: number;
  readonly faultOf: (call: Call, scene: Scene, repeat: Repeat) => Fault | undefined;
};

/** Takes the step again that makes the call, without faults. */
export type Repeat = () => Promise<unknown>;

const minuteMs = 60_000;
const serverError = serviceError('InternalServerError', 500);

/** Every fault of a call. */
export const callFaults = {
  'call refused': { weight: 2, faultOf: () => ({ error: serverError, when: 'before' }) },
  'answer lost': { weight: 4, faultOf: () => ({ error: serverError, when: 'after' }) },
  throttled: { weight: 2, faultOf: (call) => ({ error: throttleOf(call), when: 'before' }) },
  'transaction conflict': {
    weight: 3,
    faultOf: ({ command }) => {
      if (command === 'TransactWriteItemsCommand')
        return { error: cancelled('None', 'TransactionConflict'), when: 'before' };
      const isWrite = ['PutItemCommand', 'UpdateItemCommand', 'DeleteItemCommand'].includes(command);
      return isWrite ? { error: serviceError('TransactionConflictException', 400), when: 'before' } : undefined;
    },
  },
  'lost race': {
    weight: 2,
    faultOf: (call) => {
      if (!mayLoseRace(call)) return undefined;
      const codes = ['ConditionalCheckFailed', 'None'];
      return { error: cancelled(...(call.index % 2 === 0 ? codes : codes.toReversed())), when: 'before' };
    },
  },
  'slow call': { weight: 12, faultOf: (_, scene) => ({ meanwhile: scene.meanwhile }) },
  'same step meanwhile': { weight: 6, faultOf: (_call, _scene, repeat) => ({ meanwhile: repeat }) },
  'killed before a call': { weight: 2, faultOf: () => ({ kill: 'before' }) },
  'killed after a call': { weight: 2, faultOf: () => ({ kill: 'after' }) },
  'stale index': {
    weight: 4,
    faultOf: (call, { indexAnswers }) => {
      const query = indexQueryOf(call);
      const older = query === undefined ? undefined : indexAnswers.find((known) => known.query === query);
      return older && { change: () => older.answer };
    },
  },
  'part refused': { weight: 4, faultOf: partlyRefused },
  'clock ahead': { weight: 1, faultOf: (_, scene) => ({ meanwhile: () => skew(scene, 120 * minuteMs) }) },
  'clock behind': { weight: 1, faultOf: (_, scene) => ({ meanwhile: () => skew(scene, -10 * minuteMs) }) },
} satisfies Record<string, CallFault>;

/** The name of a fault of a call. */
export type CallFaultName = keyof typeof callFaults;

/** Faults of one process: from its call number `call` on, the first `times` calls that can suffer the fault do. */
export type PlannedFault = { readonly kind: CallFaultName; readonly call: number; readonly times: number };

/** The plan of a process that suffers these faults. Counts those that are reached, and remembers what indexes answer. */
export function planOf(
  faults: readonly PlannedFault[],
  scene: Scene,
  repeat: Repeat,
): { readonly plan: FaultPlan; readonly reached: () => number } {
  const left = faults.map(({ times }) => times);
  let reached = 0;
  let waits = false;
  /** At most one call of a process waits for a step, so that steps do not run side by side. */
  const oneAtATime = (fault: Fault): Fault => {
    if (!('meanwhile' in fault)) return fault;
    const meanwhile = async () => {
      waits = true;
      await fault.meanwhile();
      waits = false;
    };
    return { meanwhile };
  };
  const plan: FaultPlan = (call) => {
    for (const [place, planned] of faults.entries()) {
      if (!left[place] || call.index < planned.call) continue;
      const fault = (callFaults[planned.kind] as CallFault).faultOf(call, scene, repeat);
      if (!fault || (waits && 'meanwhile' in fault)) continue;
      left[place]--;
      reached++;
      scene.tally.add(planned.kind);
      return oneAtATime(fault);
    }
    return remembering(call, scene);
  };
  return { plan, reached: () => reached };
}

function remembering(call: Call, { indexAnswers }: Scene): Fault | undefined {
  const query = indexQueryOf(call);
  if (query === undefined) return undefined;
  return {
    change: (answer) => {
      indexAnswers.push({ query, answer });
      return answer;
    },
  };
}

/** True for a transaction under a version, which any writer may have raised. Other conditions fail for one reason only. */
function mayLoseRace({ command, input }: Call): boolean {
  if (command !== 'TransactWriteItemsCommand') return false;
  const { TransactItems } = input as { readonly TransactItems: readonly object[] };
  return /"ConditionExpression":"[^"]*(version|latestTranscriptionId)/.test(JSON.stringify(TransactItems));
}

/** What identifies a query of an index. The time of the query is left out, because the reconciler never asks twice for one. */
function indexQueryOf({ command, input }: Call): string | undefined {
  if (command !== 'QueryCommand' || (input as { readonly IndexName?: string }).IndexName === undefined)
    return undefined;
  return JSON.stringify(input, (name, value) => (name === ':now' ? undefined : value));
}

function throttleOf({ command }: Call): Error {
  if (command === 'StartTranscriptionJobCommand')
    return new LimitExceededException({
      $metadata: { httpStatusCode: 400 },
      message: 'You have too many jobs running at the same time.',
    });
  if (/Object/.test(command)) return serviceError('SlowDown', 503);
  return serviceError(
    /Item|Query/.test(command) ? 'ProvisionedThroughputExceededException' : 'ThrottlingException',
    400,
  );
}

function partlyRefused(call: Call): Fault | undefined {
  const answer = (output: object) => ({ answer: { response: {}, output: { $metadata: {}, ...output } } });
  if (call.command === 'BatchGetItemCommand') return unprocessedKeys(1)(call);
  if (call.command === 'SendMessageBatchCommand') {
    const { Entries } = call.input as { readonly Entries: readonly { readonly Id: string }[] };
    return answer({
      Successful: [],
      Failed: Entries.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })),
    });
  }
  if (call.command === 'DeleteObjectsCommand') {
    const { Delete } = call.input as { readonly Delete: { readonly Objects: readonly { readonly Key: string }[] } };
    return answer({ Errors: Delete.Objects.map(({ Key }) => ({ Key, Code: 'InternalError' })) });
  }
  return undefined;
}

/** The clock is wrong until the end of the step. Play sets it right again. */
async function skew(scene: Scene, ms: number): Promise<void> {
  scene.skewMs += ms;
  scene.world.clock = new Date(scene.world.clock.getTime() + ms);
}
