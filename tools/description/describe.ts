import { readFileSync, writeFileSync } from 'node:fs';
import { commandLine } from '../shared/command-line.ts';
import { runCommand } from '../shared/run-command.ts';
import { documents } from './documents.ts';
import { stateMachineFile, withStateMachine } from './state-machine.ts';

await runCommand(() => {
  commandLine(
    'npm run describe',
    'Writes the OpenAPI, AsyncAPI and JSON Schema documents of the API, the events and the transcripts, and the diagram ' +
      'and table of the state machine.',
  ).parse();
  const texts = { ...documents(), [stateMachineFile]: withStateMachine(readFileSync(stateMachineFile, 'utf8')) };
  for (const [file, text] of Object.entries(texts)) {
    writeFileSync(file, text);
    console.log(`Wrote ${file}.`);
  }
});
