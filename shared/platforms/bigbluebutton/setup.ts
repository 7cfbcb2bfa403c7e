import type { Setup } from '../setup.ts';

/** What to write to the configuration of bbb-webhooks (docs/platforms/bigbluebutton.md). */
export const setup: Setup = ({ url }) => `Add to /etc/bigbluebutton/bbb-webhooks/production.yml:

  hooks:
    permanentURLs:
      - url: "${url}"
        getRaw: false

Then run: systemctl restart bbb-webhooks
The secret of the connection is the shared secret of the server: bbb-conf --secret`;
