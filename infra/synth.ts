import { spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { stageNames } from './settings/stages.ts';

new Command('npm run synth')
  .description('Synthesizes every stage into cdk.out/<stage>, without an AWS account.')
  .showHelpAfterError()
  .parse();

/** Synthesizes every stage into `cdk.out/<stage>`, without an AWS account. Stops with CDK's error at the first stage that fails. */
for (const stage of stageNames) {
  const outputFolder = `cdk.out/${stage}`;
  const args = ['synth', '--quiet', '--context', `stage=${stage}`, '--output', outputFolder];
  const { status, error } = spawnSync('cdk', args, { stdio: 'inherit' });
  if (error) console.error(`cdk could not be started: ${error.message}. Run npm ci first.`);
  if (status !== 0) process.exit(1);
  console.log(`Synthesized ${stage} into ${outputFolder}.`);
}
