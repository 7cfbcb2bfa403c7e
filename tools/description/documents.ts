import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { asyncApi, eventsSchema } from './events/event-documents.ts';
import { forGenerators } from './for-generators.ts';
import { openApi } from './openapi.ts';
import { transcriptSchema } from './transcriptions/transcript-schema.ts';

const Product = z.object({ version: z.string(), license: z.string() });

/** The text of every document by its path. `npm run describe` writes them, and a test compares them with the files. */
export function documents(): Readonly<Record<string, string>> {
  const product = Product.parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));
  const contents = {
    'docs/openapi.json': forGenerators(openApi(product)),
    'docs/asyncapi.json': asyncApi(product),
    'docs/events.schema.json': eventsSchema(),
    'docs/transcript.schema.json': transcriptSchema(),
  };
  return Object.fromEntries(
    Object.entries(contents).map(([file, document]) => [file, `${JSON.stringify(document, null, 2)}\n`]),
  );
}
