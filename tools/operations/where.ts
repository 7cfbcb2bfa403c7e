import { type Stage, stageNames } from '../../infra/stages.ts';
import { UserError } from '../shared/user-error.ts';

/** What a command works on: a stage in the AWS account of the environment's credentials, or a running `npm start`. */
export type Where = { readonly stage: Stage } | { readonly dataDir: string };

/** Reads `--stage` and `--data-dir`, of which one must be given; anything else is a problem that says so. */
export function whereOf({ stage: given, 'data-dir': dataDir }: { stage?: string; 'data-dir'?: string }): Where {
  if (dataDir !== undefined && given !== undefined) throw new UserError('Either --stage or --data-dir, not both.');
  if (dataDir !== undefined) return { dataDir };
  const stage = stageNames.find((known) => known === given);
  if (stage) return { stage };
  const problem = given === undefined ? 'Which stage?' : `There is no stage "${given}".`;
  throw new UserError(`${problem} Use --stage ${stageNames.join(' or --stage ')}.`);
}
