import type { RoomSessionInsight } from '../../types.ts';
import { texts } from '../texts/en.ts';
import { Figure } from './figure.tsx';
import { formatDuration } from './formats.ts';

type SessionLengthProps = { readonly session: Pick<RoomSessionInsight, 'startedAt' | 'endedAt' | 'asOf'> };

/** How long a session was, or is so far: until its latest event. */
export function SessionLength({ session: { startedAt, endedAt, asOf } }: SessionLengthProps) {
  const seconds = (Date.parse(endedAt ?? asOf) - Date.parse(startedAt)) / 1000;
  return (
    <Figure value={seconds} none="" note={endedAt === null && texts.common.soFar}>
      {formatDuration}
    </Figure>
  );
}
