import { description } from './description.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler({ description });
