import type { Setup } from '../setup.ts';

/** What to write to the configuration of Daily (docs/platforms/daily.md). */
export const setup: Setup = ({ url }) => `webhook  ${url}`;
