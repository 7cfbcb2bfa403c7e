import { createHash } from 'node:crypto';
import content from '#docs/openapi.json' with { type: 'json' };

const text = JSON.stringify(content);

/** The description of the API. A bundle has only this value, because `infra/built-values.ts` computes it when the function is bundled. */
export const description = { text, hash: createHash('sha256').update(text).digest('base64url') };
