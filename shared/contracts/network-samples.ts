import * as z from 'zod/mini';
import { event } from './event.ts';
import { Identifier, Timestamp, Uuid } from './fields.ts';
import { sampleSeries } from './insights.ts';

/** A day at a sample every two seconds: about as much as a message can hold. */
const maxSamples = 43_200;
const minSampleRateMs = 100;
const maxSampleRateMs = 3_600_000;
/** More blocks of an hour than these would not be stored within one invocation. */
const maxSpanMs = 24 * 3_600_000;
const maxValue = 1e12;

const between = (minimum: number, maximum: number) => {
  const message = `must be from ${minimum} to ${maximum}`;
  return [z.minimum(minimum, message), z.maximum(maximum, message)] as const;
};

const value = z.number().check(...between(0, maxValue));
const lengthMessage = `must have 1 to ${maxSamples} elements`;
const series = z.array(z.nullable(value)).check(z.minLength(1, lengthMessage), z.maxLength(maxSamples, lengthMessage));

/** A stretch of one participant's network samples, as its platform sends it to the network-samples queue, mostly one a minute. */
export const ClientSampled = event(
  'room.client.sampled',
  z
    .object({
      roomSessionId: Uuid,
      participantId: Identifier,
      /** When the first of the samples was taken; each of the others `sampleRateMs` after the one before it. */
      startedAt: Timestamp,
      sampleRateMs: z.int('must be a whole number').check(...between(minSampleRateMs, maxSampleRateMs)),
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
        error: 'must not make the samples reach over more than 24 hours',
        path: ['sampleRateMs'],
      }),
    ),
);
export type ClientSampled = z.infer<typeof ClientSampled>;

/** The samples of such an event, or a part of them. */
export type SampleBlock = Pick<ClientSampled['data'], 'startedAt' | 'sampleRateMs' | (typeof sampleSeries)[number]>;
