import { description } from './description.built.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler({ description });
