import {
  badPacketLoss,
  MinuteBitrate,
  MinuteLoss,
  SessionMinute,
  SessionMinutePage,
} from '#shared/contracts/insights/session-network.ts';
import { described } from '../texts.ts';

/** A minute of a session of twelve. */
export const minuteExample: SessionMinute = {
  minute: '2026-03-02T09:12:00.000Z',
  participants: 12,
  samples: 358,
  packetLossSend: { median: 0.2, p95: 7.4, max: 7.4 },
  packetLossRecv: { median: 0.1, p95: 3.8, max: 3.8 },
  bitrateSend: { median: 1_208_000, p5: 182_000 },
  bitrateRecv: { median: 1_790_000, p5: 240_500 },
  badParticipants: 1,
};

const nearestRank =
  'Each figure is the mean of one participant, rounded to thousandths. The units are those of the events.';

/** The response schemas of the network of a session. */
export const sessionNetworkResponses = {
  SessionMinute: described(SessionMinute, {
    description: 'The network of a session in one minute, over all participants with samples in it.',
    fields: {
      minute: 'When the minute begins: a whole minute of UTC.',
      participants:
        'Number of participants with samples in the minute, also of recorders and of people whose join is not known.',
      samples: 'Number of their samples. A sample without any value does not count.',
      packetLossSend: 'Packet loss of the data that participants sent.',
      packetLossRecv: 'Packet loss of the data that participants received.',
      bitrateSend: 'Bit rate of the data that participants sent.',
      bitrateRecv: 'Bit rate of the data that participants received.',
      badParticipants: `Number of participants whose mean packet loss, sent or received, is ${badPacketLoss} or more: ${badPacketLoss} % if the platform sends percent.`,
    },
    example: minuteExample,
  }),
  SessionMinutePage: described(SessionMinutePage, {
    description: 'One page of the minutes of a session.',
    fields: {
      results: 'The minutes of this page, in the order of time.',
      cursor: 'Position of the next page: send it as `cursor`. `null` on the last page.',
    },
    example: { results: [minuteExample], cursor: null },
  }),
  MinuteLoss: described(MinuteLoss, {
    description: `Packet loss of the participants in one minute. ${nearestRank}`,
    fields: {
      median: 'At least half of the participants have this packet loss or less; `null` if nobody has samples of it.',
      p95: 'At least 95 % of the participants have this packet loss or less; `null` if nobody has samples of it.',
      max: 'The highest packet loss of a participant; `null` if nobody has samples of it.',
    },
    example: minuteExample.packetLossSend,
  }),
  MinuteBitrate: described(MinuteBitrate, {
    description: `Bit rate of the participants in one minute. ${nearestRank}`,
    fields: {
      median: 'At least half of the participants have this bit rate or less; `null` if nobody has samples of it.',
      p5: 'At least 5 % of the participants have this bit rate or less; `null` if nobody has samples of it.',
    },
    example: minuteExample.bitrateSend,
  }),
};
