import * as z from 'zod/mini';
import { Identifier, Timestamp, Uuid } from '../common/fields.ts';
import { event } from './event.ts';
import { sampleSeries } from './insights.ts';
import { ClientSpoke } from './speech.ts';

/** One day with a sample every two seconds. More would not fit in a message. */
const maxSamples = 43_200;
/** One invocation has time to store this many blocks of an hour, and no more. */
const maxSpanMs = 24 * 3_600_000;
const maxValue = 1e12;

/** The shortest and the longest interval of samples, in milliseconds. */
export const sampleRateRange = { fewest: 100, most: 3_600_000 } as const;
/** The interval at which platforms usually sample. */
export const usualSampleRateMs = 2_000;

const between = (minimum: number, maximum: number) => {
  const message = `must be from ${minimum} to ${maximum}`;
  return [z.minimum(minimum, message), z.maximum(maximum, message)] as const;
};

const value = z.number().check(...between(0, maxValue));
const lengthMessage = `must have 1 to ${maxSamples} elements`;
const series = z.array(z.nullable(value)).check(z.minLength(1, lengthMessage), z.maxLength(maxSamples, lengthMessage));

/** Network samples of one participant. The platform sends them to the network-samples queue, usually once a minute. */
export const ClientSampled = event(
  'room.client.sampled',
  z
    .object({
      roomSessionId: Uuid,
      participantId: Identifier,
      /** Time of the first sample. Each further sample is `sampleRateMs` later. */
      startedAt: Timestamp,
      sampleRateMs: z.int('must be a whole number').check(...between(sampleRateRange.fewest, sampleRateRange.most)),
      packetLossSend: series,
      packetLossRecv: series,
      bitrateSend: series,
      bitrateRecv: series,
    })
    .check(
      z.refine((data) => new Set(sampleSeries.map((name) => data[name].length)).size === 1, {
        error: `must be as long as the other series (${sampleSeries.join(', ')})`,
        path: [sampleSeries[0]],
      }),
      z.refine((data) => data.packetLossSend.length * data.sampleRateMs <= maxSpanMs, {
        error: 'must not make the samples span more than 24 hours',
        path: ['sampleRateMs'],
      }),
    ),
);
export type ClientSampled = z.infer<typeof ClientSampled>;

const measuredEvents = [ClientSampled, ClientSpoke] as const;
const measuredTypes = measuredEvents.flatMap(({ shape }) => shape.type.def.values);

/** An event that a platform sends to the network-samples queue, at least once and in any order. Other types are refused. */
export const MeasuredEvent = z.discriminatedUnion(
  'type',
  measuredEvents,
  `must be an event type that this queue accepts: ${measuredTypes.join(', ')}`,
);
export type MeasuredEvent = z.infer<typeof MeasuredEvent>;

/** The samples of an event, or a part of them. */
export type SampleBlock = Pick<ClientSampled['data'], 'startedAt' | 'sampleRateMs' | (typeof sampleSeries)[number]>;
