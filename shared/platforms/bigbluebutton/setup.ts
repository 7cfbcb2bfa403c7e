import type { Setup } from '../setup.ts';

/** What to write to the configuration of bbb-webhooks, whose layout changed with version 3 (docs/platforms/bigbluebutton.md). */
export const setup: Setup = ({ url, settings }) => `Add to /etc/bigbluebutton/bbb-webhooks/production.yml.

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
${settings.weakChecksum === 'true' ? weak : strong}

Then run: systemctl restart bbb-webhooks
The secret of the connection is the shared secret of the server: bbb-conf --secret`;

const strong = `This connection refuses the checksum of 3.0 to 3.3, which fits every webhook. With one of them, use the bearer token (bbb.auth2_0: true), update
to 3.4, or connect again with --set weakChecksum=true.`;

const weak = `This connection takes the checksum of 3.0 to 3.3: whoever sees one webhook can send others. After an update to 3.4, connect again
without --set weakChecksum=true, disconnect this connection, and change the shared secret of the server.`;
