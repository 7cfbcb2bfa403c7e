import { writeFileSync } from 'node:fs';
import { documents } from './documents.ts';

// `npm run describe`: writes the OpenAPI, AsyncAPI and JSON Schema documents of the API and the events.
for (const [file, text] of Object.entries(documents())) {
  writeFileSync(file, text);
  console.log(`Wrote ${file}.`);
}
