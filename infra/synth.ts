import { execFileSync } from 'node:child_process';
import { stageNames } from './stages.ts';

/** Synthesizes every stage, each into `cdk.out/<stage>`, with no AWS account. A stage that fails ends it with its error. */
for (const stage of stageNames) {
  const outputFolder = `cdk.out/${stage}`;
  execFileSync('cdk', ['synth', '--quiet', '--context', `stage=${stage}`, '--output', outputFolder], {
    stdio: 'inherit',
  });
  console.log(`Synthesized ${stage} into ${outputFolder}.`);
}
