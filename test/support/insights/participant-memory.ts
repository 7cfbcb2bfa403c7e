import { deflateRawSync } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { endpointLimits } from '#infra/functions/endpoint-limits.ts';
import { maxBlock } from '#shared/domain/insights/network-series.ts';
import { limits } from '#shared/domain/insights/session/session-limits.ts';
import { envNames } from '#shared/runtime/names.ts';
import { httpEvent } from '../http/http-events.ts';
import { uuid } from '../operations/records.ts';
import { type AnswerText, type Invocation, invokedMemory } from '../storage/invoked-memory.ts';
import { logPages } from './fact-pages.ts';
import { at, joined, later } from './session-facts.ts';

/** The memory of the function that returns a participant's details. */
export const functionMb = endpointLimits['get-participant']?.memorySize ?? Number.NaN;
/** The most that its process may use as heap here. */
export const heapMb = 512;
const sampleRateMs = 100;
const blocksPerPage = 20;

/** A participant's samples: their number, and the value of each in all series. With `hasLargestLog`, the session's log has its largest size. */
export type Samples = {
  readonly count: number;
  readonly valueAt: (sample: number) => number;
  readonly hasLargestLog?: boolean;
};

/** Numbers with as many digits as possible. */
const longNumber = (sample: number) => ((sample * 7919 + 1) % 1801) * 4_321_234.567_891_23;

/** The largest answers that are sent: with as many samples as one answer may have, or as fit into 6 MB without compression. */
export const largest = {
  gzip: { count: 864_000, valueAt: (sample) => longNumber(sample % 100) },
  log: { count: 864_000, valueAt: (sample) => longNumber(sample % 100), hasLargestLog: true },
  identity: { count: 747_000, valueAt: (sample) => sample % 10 },
} as const satisfies Record<string, Samples>;

/** As many samples as one answer may have, with values that no compression makes small enough to be sent. */
export const tooLarge: Samples = { count: 864_000, valueAt: longNumber };

/**
 * Invokes the bundled function get-participant in a process of its own, for a participant with these samples. Returns the
 * status of the answer and the peak of the process's memory.
 */
export function participantMemory(samples: Samples, acceptEncoding: string): Promise<Invocation> {
  const query = `roomSessionId=${uuid(3)}&participantId=ann`;
  const event = httpEvent({ query, headers: { 'accept-encoding': acceptEncoding } });
  const options = { answerTo: answersFrom(samples), env };
  return invokedMemory('functions/api/insights/get-participant', heapMb, event, options);
}

const env = {
  [envNames.rateLimitsTable]: 'limits',
  [envNames.rateLimitPointsPerMinute]: '1000',
  [envNames.personPointsPerMinute]: '300',
  [envNames.organizationClaim]: 'client_id',
  [envNames.defaultSampleRateMs]: '2000',
};

const wide = '€'; // three bytes, the most that a UTF-16 unit has
const name = (index: number, length: number, character = 'x') => String(index).padEnd(length, character);
const largestJoin = (index: number) => ({
  ...joined('ann', later('09:00', index * 1000), {
    ...{ deviceId: name(index, 256), userId: name(index, 256), externalId: name(index, 256) },
    ...{ displayName: name(index, 256, wide), userAgent: name(index, 1024, wide) },
  }),
  id: name(index, 128, wide),
});

/** Answers like DynamoDB: a log of joins, and pages of blocks that all have the same values. */
function answersFrom({ count, valueAt, hasLargestLog = false }: Samples): AnswerText {
  const log = hasLargestLog ? logPages(largestJoin, limits.eventBytes) : logPages(() => joined('ann', '09:00'), 1_000);
  const values = Array.from({ length: maxBlock.samples }, (_, sample) => valueAt(sample));
  const all = { packetLossSend: values, packetLossRecv: values, bitrateSend: values, bitrateRecv: values };
  const series = deflateRawSync(JSON.stringify(all)).toString('base64');
  const blockAt = (index: number) => {
    const startedAt = new Date(Date.parse(at('09:00')) + index * maxBlock.samples * sampleRateMs).toISOString();
    return { ...marshall({ factOwner: 'o', factKey: String(index), startedAt, sampleRateMs }), series: { B: series } };
  };
  const blocks = count / maxBlock.samples;
  return (operation, input) => {
    if (operation === 'UpdateItem') return JSON.stringify({ Attributes: marshall({ points: 1 }) });
    const { ':first': range = { S: '' } } = input.ExpressionAttributeValues as Record<string, { readonly S: string }>;
    if (!range.S.includes('samples')) return log.page(input);
    const { factKey } = (input.ExclusiveStartKey ?? {}) as { readonly factKey?: { readonly S: string } };
    const first = Number(factKey?.S ?? 0);
    const next = Math.min(blocks, first + blocksPerPage);
    const Items = Array.from({ length: next - first }, (_, index) => blockAt(first + index));
    const last = next < blocks && { LastEvaluatedKey: marshall({ factOwner: 'o', factKey: String(next) }) };
    return JSON.stringify({ Items, ...last });
  };
}
