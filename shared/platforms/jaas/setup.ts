import type { Setup } from '../setup.ts';

/** What to write to the configuration of Jitsi as a Service (JaaS) (docs/platforms/jaas.md). */
export const setup: Setup = ({ url }) => `webhook  ${url}`;
