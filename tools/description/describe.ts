import { readFileSync, writeFileSync } from 'node:fs';
import { documents } from './documents.ts';
import { stateMachineFile, withStateMachine } from './state-machine.ts';

// `npm run describe`: writes the OpenAPI, AsyncAPI and JSON Schema documents of the API and the events, and the diagram and
// table of the state machine.
const texts = { ...documents(), [stateMachineFile]: withStateMachine(readFileSync(stateMachineFile, 'utf8')) };
for (const [file, text] of Object.entries(texts)) {
  writeFileSync(file, text);
  console.log(`Wrote ${file}.`);
}
