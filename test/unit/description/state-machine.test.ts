import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stateMachineFile, withStateMachine } from '#tools/description/state-machine.ts';

const document = readFileSync(stateMachineFile, 'utf8');

test('docs/state-machine.md shows the transitions as `npm run describe` writes them', () => {
  expect(withStateMachine(document) === document, `${stateMachineFile} is stale: npm run describe`).toBe(true);
});

test('an edited row is written anew', () => {
  const edited = document.replace('| `jobStarted` | `in_progress` |', '| `jobStarted` | `ready` |');
  expect(edited).not.toBe(document);
  expect(withStateMachine(edited)).toBe(document);
});

test('a document without a place for the state machine is refused', () => {
  expect(() => withStateMachine('# States\n')).toThrow('has no place for the state machine');
});
