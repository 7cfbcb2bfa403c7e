import { expect, test } from 'vitest';
import { ClientSpoke } from '#shared/contracts/insights/speech.ts';
import { SpokenIntervals } from '../../../examples/livekit-recorder/spoken-intervals.ts';

const start = Date.parse('2026-11-23T09:00:00Z');
const at = (second: number) => start + second * 1000;
const interval = (from: number, to: number) => ({
  from: new Date(at(from)).toISOString(),
  to: new Date(at(to)).toISOString(),
});

test('an interval begins when somebody is named as a speaker, and ends when somebody else is', () => {
  const spoken = new SpokenIntervals();
  spoken.change(['ada'], at(1));
  spoken.change(['ada', 'ben'], at(2.5));
  spoken.change(['ben'], at(4));
  spoken.change([], at(5));
  spoken.change(['ada'], at(8));
  spoken.change([], at(9));
  expect([...spoken.take(at(60))]).toEqual([
    ['ada', [interval(1, 4), interval(8, 9)]],
    ['ben', [interval(2.5, 5)]],
  ]);
});

test('what was taken is not taken again, and speech goes on in the next interval', () => {
  const spoken = new SpokenIntervals();
  spoken.change(['ada'], at(50));
  expect([...spoken.take(at(60))]).toEqual([['ada', [interval(50, 60)]]]);
  spoken.change([], at(63));
  expect([...spoken.take(at(120))]).toEqual([['ada', [interval(60, 63)]]]);
  expect([...spoken.take(at(180))]).toEqual([]);
});

test('a change at the same moment is no interval', () => {
  const spoken = new SpokenIntervals();
  spoken.change(['ada'], at(1));
  spoken.change([], at(1));
  expect([...spoken.take(at(1))]).toEqual([]);
});

test('the intervals of a minute fit into an event', () => {
  const spoken = new SpokenIntervals();
  for (let change = 0; change < 600; change++) spoken.change(change % 2 === 0 ? ['ada'] : [], at(change / 10));
  const [[participantId, intervals] = []] = spoken.take(at(60));
  const data = { roomSessionId: '0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10', participantId, intervals };
  const envelope = { id: 'spoke-1', organizationId: 'acme', createdAt: new Date(at(60)).toISOString() };
  expect(ClientSpoke.safeParse({ ...envelope, type: 'room.client.spoke', data })).toMatchObject({ success: true });
  expect(intervals).toHaveLength(300);
});
