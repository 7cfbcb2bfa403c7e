import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stateMachineFile, withStateMachine } from '#tools/description/state-machine.ts';

const document = readFileSync(stateMachineFile, 'utf8');

test('docs/state-machine.md is up to date with `npm run describe`', () => {
  expect(withStateMachine(document) === document, `${stateMachineFile} is out of date: run npm run describe`).toBe(
    true,
  );
});

test('withStateMachine restores an edited row', () => {
  const edited = document.replace('| `jobStarted` | `in_progress` |', '| `jobStarted` | `ready` |');
  expect(edited).not.toBe(document);
  expect(withStateMachine(edited)).toBe(document);
});

test('withStateMachine rejects a document without a place for the state machine', () => {
  expect(() => withStateMachine('# States\n')).toThrow('has no place for the state machine');
});
