import { Option } from 'commander';
import { type Stage, stageNames } from '../infra/settings/stages.ts';
import { UserError } from '../tools/shared/user-error.ts';

/** The deployment that a command works on: a stage in the current AWS account, or a running `npm start`. */
export type Target = { readonly stage: Stage } | { readonly dataDir: string };

/** The values of the options that choose a deployment. */
export type TargetOptions = { readonly stage?: Stage; readonly dataDir?: string };

/** The option that chooses a stage. */
export function stageOption(): Option {
  return new Option('--stage <name>', 'the stage, in the account and region of your AWS credentials').choices(
    stageNames,
  );
}

/** The option that chooses a running `npm start`. */
export function dataDirOption(): Option {
  return new Option('--data-dir <dir>', 'the data directory of a running npm start, instead of a stage').conflicts(
    'stage',
  );
}

/** Reads the target from the options. Throws a `UserError` if none of them is given. */
export function readTarget({ stage, dataDir }: TargetOptions): Target {
  if (dataDir !== undefined) return { dataDir };
  if (stage !== undefined) return { stage };
  throw new UserError(`No stage given. Use --stage ${stageNames.join(' or --stage ')}, or --data-dir.`);
}
