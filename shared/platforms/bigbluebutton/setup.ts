import type { Setup } from '../setup.ts';

/** What to write to the configuration of bbb-webhooks, whose layout changed with version 3 (docs/platforms/bigbluebutton.md). */
export const setup: Setup = ({ url }) => `Add to /etc/bigbluebutton/bbb-webhooks/production.yml.

With version 3 of bbb-webhooks:

  modules:
    ../out/webhooks/index.js:
      config:
        permanentURLs:
          - url: "${url}"
            getRaw: false

With version 2 of bbb-webhooks:

  hooks:
    permanentURLs:
      - url: "${url}"
        getRaw: false

This shows the version: grep '"version"' /usr/local/bigbluebutton/bbb-webhooks/package.json
Then run: systemctl restart bbb-webhooks
The secret of the connection is the shared secret of the server: bbb-conf --secret`;
