import { describe, expect, it } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { recount } from '#tools/simulation/recount.ts';
import { acme, at, daily, joined, sampled } from './platform-events.ts';

const networkOf = (events: readonly PlatformEvent[]) => recount(acme, events).networkOf(daily.roomSessionId);

describe('networkOf', () => {
  it('counts each participant once in a minute, with the mean of all samples in it', () => {
    const events = [
      joined('ann', '09:00'),
      sampled('ann', '09:00:56', [9, 1, 2, 4]),
      sampled('ann', '09:01:30', [3]),
      sampled('bob', '09:01:59', [7.5]),
    ];

    const loss = (median: number, max: number) => ({ median, p95: max, max });
    expect(networkOf(events)).toEqual([
      {
        ...{ minute: at('09:00'), participants: 1, samples: 2, badParticipants: 1 },
        ...{ packetLossSend: loss(5, 5), packetLossRecv: loss(5, 5) },
        ...{ bitrateSend: { median: 5, p5: 5 }, bitrateRecv: { median: 5, p5: 5 } },
      },
      {
        ...{ minute: at('09:01'), participants: 2, samples: 4, badParticipants: 1 },
        ...{ packetLossSend: loss(3, 7.5), packetLossRecv: loss(3, 7.5) },
        ...{ bitrateSend: { median: 3, p5: 3 }, bitrateRecv: { median: 3, p5: 3 } },
      },
    ]);
  });

  it('leaves out minutes without values, and counts a repeated event once', () => {
    const once = sampled('ann', '09:05', [1, null], { id: 'e-1' });
    const other = sampled('ann', '09:05', [3], { id: 'e-2' });

    expect(networkOf([once, sampled('ann', '09:03', [null]), once, other])).toMatchObject([
      { minute: at('09:05'), samples: 2, packetLossSend: { median: 2 }, badParticipants: 0 },
    ]);
  });

  it('has nobody of another organization', () => {
    expect(networkOf([sampled('ann', '09:00', [1], { organizationId: 'other' })])).toEqual([]);
  });
});
