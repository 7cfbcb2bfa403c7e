import description from '#docs/openapi.json' with { type: 'json' };
import { createHandler } from './handler.ts';

/** What Lambda calls. */
export const handler = createHandler({ description });
