import type { Setup } from '../setup.ts';

/** What to write to the configuration of Jitsi (docs/platforms/jitsi.md). */
export const setup: Setup = ({ url, secret }) => `webhook  ${url}\nsecret   ${secret}`;
