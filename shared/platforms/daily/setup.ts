import type { Setup } from '../setup.ts';

const eventTypes = [
  ...['meeting.started', 'meeting.ended', 'participant.joined', 'participant.left'],
  'recording.ready-to-download',
];

/** The request that creates the webhook at Daily (docs/platforms/daily.md). */
export const setup: Setup = ({ url, secret }) => {
  const body = { url, ...(secret !== undefined && { hmac: secret }), retryType: 'exponential', eventTypes };
  return `Run this with an API key of your domain at Daily:

  curl -X POST https://api.daily.co/v1/webhooks \\
    -H "Authorization: Bearer $DAILY_API_KEY" -H 'Content-Type: application/json' \\
    -d '${JSON.stringify(body)}'`;
};
