import { Link } from '@tanstack/react-router';
import { texts } from '../../texts/en.ts';
import { NameText } from '../name-text.tsx';
import { TimeText } from '../time-text.tsx';

/** The link to the rooms, and to a room if it is known: the way up from a session. */
export function roomCrumbs(room: string | undefined) {
  const rooms = <Link to="/rooms">{texts.rooms.title}</Link>;
  if (room === undefined) return [rooms];
  const link = (
    <Link to="/room" search={{ name: room }}>
      <NameText cut>{room}</NameText>
    </Link>
  );
  return [rooms, link];
}

/** The links to the rooms, a room and one of its sessions, which its start tells apart: the way up from a participant. */
export function sessionCrumbs(id: string, room: string | undefined, startedAt: string | undefined) {
  const link = (
    <Link to="/session" search={{ id, room }}>
      {texts.session.title} {startedAt !== undefined && <TimeText value={startedAt} />}
    </Link>
  );
  return [...roomCrumbs(room), link];
}
