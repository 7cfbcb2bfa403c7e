import { spawnSync } from 'node:child_process';
import { acceptOnlyHelp } from './help-flag.ts';
import { stageNames } from './stages.ts';

acceptOnlyHelp(`npm run synth

Synthesizes every stage into cdk.out/<stage>, without an AWS account.`);

/** Synthesizes every stage into `cdk.out/<stage>`, without an AWS account. Stops with CDK's error at the first stage that fails. */
for (const stage of stageNames) {
  const outputFolder = `cdk.out/${stage}`;
  const args = ['synth', '--quiet', '--context', `stage=${stage}`, '--output', outputFolder];
  const { status, error } = spawnSync('cdk', args, { stdio: 'inherit' });
  if (error) console.error(`cdk could not be started: ${error.message}. Run npm ci first.`);
  if (status !== 0) process.exit(1);
  console.log(`Synthesized ${stage} into ${outputFolder}.`);
}
