import type { Setup } from '../setup.ts';

/** What to write to the configuration of LiveKit (docs/platforms/livekit.md). */
export const setup: Setup = ({
  url,
  keyId = '<an API key of the server>',
}) => `Add to livekit.yaml, and restart the server:

webhook:
  api_key: ${keyId}
  urls:
    - ${url}

With LiveKit Cloud, add the URL under Settings, Webhooks, with the same API key.`;
