import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';

/** The session that the recording is about; its recording is the sample. */
export const story = {
  roomName: '/team/standup',
  roomSessionId: '0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10',
  recordingId: '0b5cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10',
  startDate: '2026-03-02T09:00:20.000Z',
  endDate: '2026-03-02T09:00:51.000Z',
} as const;

const { roomName, roomSessionId } = story;
const sampleRateMs = 2000;
const minutes = 30;
const samplesPerMinute = 60_000 / sampleRateMs;

type Person = {
  readonly id: string;
  readonly role: string;
  readonly name: string;
  readonly joins: string;
  readonly leaves: string;
};

const people: readonly Person[] = [
  { id: 'p-1', role: 'host', name: 'Ada Lovelace', joins: '09:00', leaves: '09:30' },
  { id: 'p-2', role: 'guest', name: 'Grace Hopper', joins: '09:00', leaves: '09:30' },
  { id: 'p-3', role: 'guest', name: '林美玲', joins: '09:04', leaves: '09:27' },
];

/** What a platform tells of the session, always the same. */
export function eventsOf(organizationId: string): PlatformEvent[] {
  let count = 0;
  const event = <Type extends PlatformEvent['type']>(type: Type, time: string, data: EventOf<Type>['data']) => {
    count += 1;
    const id = `5a3b1e90-0000-4000-8000-${String(count).padStart(12, '0')}`;
    return { id, type, organizationId, createdAt: at(time), data } as PlatformEvent;
  };
  const session = { roomName, roomSessionId };
  return [
    event('room.created', '08:55', { roomName }),
    event('room.session.started', '09:00', session),
    ...people.map(({ id: participantId, role: roleName, name: displayName, joins }) =>
      event('room.client.joined', joins, {
        ...{ ...session, participantId, displayName, deviceId: `device-${participantId}`, roleName },
        ...(participantId === 'p-2' && { userAgent: 'Firefox 148 on Linux' }),
      }),
    ),
    event('room.client.sampled', '09:30', {
      ...{ roomSessionId, participantId: 'p-2', startedAt: at('09:00'), sampleRateMs },
      ...samples(),
    }),
    event('room.client.rated', '09:27', { ...session, participantId: 'p-3', rating: 4 }),
    ...people.map(({ id: participantId, leaves }) => event('room.client.left', leaves, { ...session, participantId })),
    event('room.session.ended', '09:30', session),
  ];
}

function at(time: string): string {
  return `2026-03-02T${time}:00.000Z`;
}

/** Half an hour: nothing arrived from 9:07 on for two minutes, and from 9:15 on the network was bad for five. */
function samples() {
  const series = (value: (minute: number, noise: number) => number) =>
    Array.from({ length: minutes * samplesPerMinute }, (_, index) => {
      const minute = index / samplesPerMinute;
      return minute >= 7 && minute < 9 ? null : value(minute, noiseOf(index));
    });
  /** From 0 to 1: how bad it was. */
  const trouble = (minute: number) => Math.max(0, 1 - Math.abs(minute - 17.5) / 2.5);
  return {
    packetLossSend: series((minute, noise) => rounded(noise > 0.985 ? 0.6 : 14 * trouble(minute) * noise)),
    packetLossRecv: series((minute, noise) => rounded(2 * trouble(minute) * noise)),
    bitrateSend: series((minute, noise) => Math.round(1_240_000 * (1 - 0.7 * trouble(minute)) * (0.95 + noise / 20))),
    bitrateRecv: series((_, noise) => Math.round(1_790_000 + 60_000 * noise)),
  };
}

/** From 0 to 1, without chance. */
function noiseOf(index: number): number {
  return ((index * 7919) % 1009) / 1009;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
