import { expect, test } from 'vitest';
import { awsOnTheMachine } from '../support/aws-cli/on-the-machine.ts';
import { expectPrinted, npmWithPackage, programOf, scriptOf } from '../support/documented-programs.ts';
import { stepsBetween } from '../support/documents.ts';
import { endpoints, organization } from '../support/machine.ts';
import { runScript } from '../support/shell.ts';

const page = 'docs/api.md';

test('the tutorial does in curl, then in TypeScript, what it says', { timeout: 120_000 }, async () => {
  const commands = stepsBetween(page, 'sh', '## Tutorial', '## Calls');
  const program = stepsBetween(page, 'ts', '## Tutorial', '## Calls');
  const files = {
    '.local/endpoints.json': JSON.stringify(endpoints),
    '../roomscribe-tutorial/tutorial.ts': programOf(program),
    '../roomscribe-tutorial/package.json': '{"type":"module"}',
  };
  const script = scriptOf(commands).replace(/^CLIENT_ID=acme$/m, `CLIENT_ID=${organization()}`);
  const programs = { aws: awsOnTheMachine, npm: npmWithPackage };
  const { failures, stderr, code, stdout } = await runScript(script, programs, { files, timeoutMs: 110_000 });
  expect({ failures, stderr, code }, stdout).toEqual({ failures: [], stderr: '', code: 0 });
  const [run, ...before] = commands.toReversed();
  expect(run?.code).toMatch(/^node tutorial\.ts$/m);
  expectPrinted(stdout, [...before.toReversed(), ...program, ...(run ? [run] : [])]);
});
