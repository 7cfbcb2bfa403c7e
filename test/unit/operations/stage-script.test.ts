import { describe, expect, test } from 'vitest';
import { awsCli, stackAnswers } from '../../support/aws-cli/fake-cli.ts';
import { runScript } from '../../support/client/shell.ts';
import { stackOf } from '../../support/infra/templates.ts';

const { resources } = stackOf('prod');
const stack = stackAnswers({}, resources);

describe('operations/stage.sh', () => {
  const head = '. operations/stage.sh prod\n';
  test.each([
    ['', '. operations/stage.sh', 'No stage given.'],
    ['', `${head}. operations/stage.sh`, 'No stage given.'],
    ['a missing output', `${head}aws s3 ls "s3://$(output Nothing)"`, 'Stack Roomscribe-prod has no output Nothing'],
    ['no output name', `${head}aws s3 ls "s3://$(output)"`, 'Stack Roomscribe-prod has no output'],
    ['a missing function', `${head}NAME=$(lambda nothing)`, 'Stack Roomscribe-prod has no function nothing.'],
    ['a missing log', `${head}log_lines nothing 1 x`, 'Stack Roomscribe-prod has no log of a function nothing.'],
    ['too few arguments', `${head}log_lines start-transcription`, 'Usage: log_lines FUNCTION HOURS PATTERN'],
    [
      'a missing resource, in a pipeline',
      `${head}resource AWS::EC2::Instance | while read -r ID; do aws s3 ls "s3://$ID"; done`,
      'Stack Roomscribe-prod has no resource of type AWS::EC2::Instance.',
    ],
    [
      'a missing resource, in a command within a command',
      `${head}NAME=$(aws s3 ls "s3://$(resource AWS::EC2::Instance)")`,
      'Stack Roomscribe-prod has no resource of type AWS::EC2::Instance.',
    ],
    [
      'a missing resource, in a loop',
      `${head}for ID in $(resource AWS::IAM::Role Nothing); do aws s3 ls "s3://$ID"; done`,
      'Stack Roomscribe-prod has no resource of type AWS::IAM::Role whose name starts with Nothing.',
    ],
  ])('ends the script for %s: %s', async (_what, script, problem) => {
    const received: string[] = [];
    const aws = awsCli((command) => {
      received.push(command.operation);
      return stack(command);
    });
    const { code, stdout, stderr } = await runScript(`${script}\necho reached`, { aws });
    expect(stderr).toContain(problem);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(received.filter((command) => !/^(describe-stacks|list-stack-resources)/.test(command))).toEqual([]);
  });
});
