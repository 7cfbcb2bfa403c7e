import { type Stage, stageNames } from '../../infra/stages.ts';
import { UserError } from '../shared/user-error.ts';

/** The deployment that a command works on: a stage in the current AWS account, or a running `npm start`. */
export type Target = { readonly stage: Stage } | { readonly dataDir: string };

/** Reads the target from `--stage` or `--data-dir`. Throws a `UserError` unless exactly one of them is given and valid. */
export function readTarget({ stage: given, 'data-dir': dataDir }: { stage?: string; 'data-dir'?: string }): Target {
  if (dataDir !== undefined && given !== undefined) throw new UserError('Use either --stage or --data-dir, not both.');
  if (dataDir !== undefined) return { dataDir };
  const stage = stageNames.find((known) => known === given);
  if (stage) return { stage };
  const problem = given === undefined ? 'No stage given.' : `There is no stage "${given}".`;
  throw new UserError(`${problem} Use --stage ${stageNames.join(' or --stage ')}.`);
}
