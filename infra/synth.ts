import { spawnSync } from 'node:child_process';
import { stageNames } from './stages.ts';

/** Synthesizes every stage, each into `cdk.out/<stage>`, with no AWS account. One that fails, with what CDK says of it, ends it. */
for (const stage of stageNames) {
  const outputFolder = `cdk.out/${stage}`;
  const args = ['synth', '--quiet', '--context', `stage=${stage}`, '--output', outputFolder];
  const { status, error } = spawnSync('cdk', args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(1);
  console.log(`Synthesized ${stage} into ${outputFolder}.`);
}
