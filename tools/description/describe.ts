import { writeFileSync } from 'node:fs';
import { documents } from './documents.ts';

/** Writes the documents that describe the API and the events, for people and for generators of clients. */
for (const [file, text] of Object.entries(documents())) {
  writeFileSync(file, text);
  console.log(`Wrote ${file}.`);
}
