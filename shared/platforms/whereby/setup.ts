import type { Setup } from '../setup.ts';

/** What to write to the configuration of Whereby (docs/platforms/whereby.md). */
export const setup: Setup = ({ url }) => `webhook  ${url}`;
