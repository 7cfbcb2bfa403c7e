import { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '../shared/client-settings.ts';
import type { Endpoints } from '../shared/endpoints.ts';
import { openProgress, type Progress } from '../shared/progress-bar.ts';
import { untilDrained } from '../shared/queue-depth.ts';
import { runCommand } from '../shared/run-command.ts';
import { type Agreement, untilApiAgrees } from './agreement.ts';
import { planDeliveries } from './deliveries.ts';
import { type PlatformEvent, queueOf } from './events.ts';
import { readSimulateFlags, type SimulateFlags } from './flags.ts';
import { generateHistory, type HistoryPlan } from './generate.ts';
import { insightsApi } from './insights-api.ts';
import { type Recount, recount } from './recount.ts';
import { findRunningService } from './running-service.ts';
import { sendEvents } from './send.ts';
import { totalsTable } from './totals-table.ts';

// `npm run simulate`: sends generated rooms to a running `npm start` and checks its insights.

const dayMs = 86_400_000;

async function main(): Promise<void> {
  const flags = readSimulateFlags(process.argv.slice(2));
  const { endpoints, getToken } = await findRunningService(flags.dataDir, flags.organization);
  const history = historyOf(flags);
  const events = generateHistory(history);
  const deliveries = planDeliveries(events, flags);
  const expected = recount(flags.organization, events);
  console.log(
    `Seed ${flags.seed}: sending ${events.length} events and ${deliveries.length - events.length} duplicates ` +
      `to the rooms ${history.roomPrefix}… of ${flags.organization}.`,
  );
  const progress = openProgress();
  try {
    const onSent = (sent: number) => progress.show('Sending the events', sent, deliveries.length);
    await sendEvents(deliveries, { endpoints, onProgress: onSent });
    await drain(endpoints, deliveries, progress);
    const agreement = await untilApiAgrees(expected, insightsApi(endpoints.apiUrl, getToken), {
      onProgress: progress.show,
      withActivity: recount(flags.organization, events, undefined, { withActivity: true }),
    });
    progress.end();
    conclude(agreement, expected);
  } finally {
    progress.end();
  }
}

/** Waits until all events are handled. The insights can be right earlier, and a later duplicate must not change them. */
async function drain({ sqsUrl, queues }: Endpoints, deliveries: readonly PlatformEvent[], { show }: Progress) {
  const sqs = new SQSClient(clientSettings(sqsUrl));
  const urls = [...new Set(deliveries.map(queueOf))].map((name) => queues[name] ?? '');
  const onProgress = (left: number) =>
    show('Waiting until the events are handled', Math.max(0, deliveries.length - left), deliveries.length);
  try {
    await untilDrained(sqs, urls, { onProgress });
  } finally {
    sqs.destroy();
  }
}

/** The room names contain every parameter of the history, so that different histories do not mix. */
function historyOf(flags: SimulateFlags): HistoryPlan {
  const { rooms, sessions, participants, seed, samples: samplesOfAll, organization: organizationId } = flags;
  const day = new Date(Math.floor(Date.now() / dayMs) * dayMs).toISOString();
  const date = day.slice(0, 10).replaceAll('-', '');
  const roomPrefix = `/sim-${seed}-${date}-${sessions}x${participants}${samplesOfAll ? 's' : ''}-`;
  return { organizationId, rooms, sessions, participants, seed, day, roomPrefix, samplesOfAll };
}

function conclude({ difference, compared }: Agreement, expected: Recount): void {
  console.log(`\nExpected totals:\n\n${totalsTable(expected.rooms)}\n`);
  if (difference === undefined) {
    const { rooms, sessions, participants, connections } = compared;
    console.log(
      `The API agrees: ${rooms} rooms, ${sessions} sessions, ${participants} participants ` +
        `and the details of ${connections} connections are as expected.`,
    );
    return;
  }
  console.log(`The API does not agree: ${difference}. See the logs of the workers.`);
  process.exitCode = 1;
}

await runCommand(main);
