import type { Setup } from '../setup.ts';

const eventTypes = [
  ...['meeting.started', 'meeting.ended', 'participant.joined', 'participant.left'],
  'recording.ready-to-download',
];

/**
 * The request that creates the webhook at Daily (docs/platforms/daily.md). Everybody on a machine can see the arguments of its processes. So the
 * shell writes the secret and the API key to curl's standard input: printf is built into every shell.
 */
export const setup: Setup = ({ url, secret }) => {
  const body = { url, ...(secret !== undefined && { hmac: secret }), retryType: 'exponential', eventTypes };
  return `Run this, with an API key of your domain at Daily as DAILY_API_KEY:

  printf '%s\\n' "header = \\"Authorization: Bearer $DAILY_API_KEY\\"" \\
    'header = "Content-Type: application/json"' \\
    'data = ${JSON.stringify(JSON.stringify(body))}' |
    curl --config - https://api.daily.co/v1/webhooks`;
};
