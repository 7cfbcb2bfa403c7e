import type { Setup } from '../setup.ts';

/** What to write to the configuration of BigBlueButton (docs/platforms/bigbluebutton.md). */
export const setup: Setup = ({ url }) => `webhook  ${url}`;
