import content from '#docs/openapi.json' with { type: 'json' };
import { documentOf } from './document.ts';

/** The description of the API. A bundle has only this value, because `infra/built-values.ts` computes it when the function is bundled. */
export const description = documentOf(content);
