import type { Setup } from '../setup.ts';

/** What to write to the configuration of LiveKit (docs/platforms/livekit.md). */
export const setup: Setup = ({ url }) => `webhook  ${url}`;
