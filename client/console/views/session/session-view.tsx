import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useApi } from '../../app/api.tsx';
import { AsyncState } from '../../parts/async-state.tsx';
import { NameText, shownName } from '../../parts/name-text.tsx';
import { Notice } from '../../parts/notice.tsx';
import { sessionQuery } from '../../parts/session-query.ts';
import { useDocumentTitle } from '../../parts/use-document-title.ts';
import { texts } from '../../texts/en.ts';
import { People } from './people.tsx';
import styles from './session.module.css';
import { SessionFacts } from './session-facts.tsx';

/** One session: its figures, who was there and when, and what they said of it. */
export function SessionView() {
  const { id, room } = useSearch({ from: '/session' });
  const { noId, toRooms } = texts.session;
  useDocumentTitle(room === undefined ? texts.session.title : `${texts.session.title} – ${room}`);
  if (id === undefined)
    return (
      <Notice {...noId} kind="hint">
        <Link to="/rooms">{toRooms}</Link>
      </Notice>
    );
  return room === undefined ? <WithoutRoom id={id} /> : <OfRoom id={id} room={room} />;
}

function OfRoom({ id, room }: { readonly id: string; readonly room: string }) {
  const { client } = useApi();
  const query = useQuery(sessionQuery(client, room, id));
  return (
    <>
      <Heading id={id} room={room} />
      <AsyncState query={query} notFound={texts.session.notFound}>
        {(session) =>
          session ? (
            <>
              <SessionFacts session={session} />
              <People id={id} room={room} session={session} />
            </>
          ) : (
            <NoSession room={room} />
          )
        }
      </AsyncState>
    </>
  );
}

function NoSession({ room }: { readonly room: string }) {
  return (
    <Notice {...texts.session.notFound} kind="hint">
      <Link to="/room" search={{ name: room }}>
        {texts.session.toRoom}
      </Link>
    </Notice>
  );
}

function Heading({ id, room }: { readonly id: string; readonly room: string }) {
  const { title, toRoom, toTranscriptions } = texts.session;
  return (
    <header className={styles.heading}>
      <h1 title={shownName(room)}>
        {title} <NameText>{room}</NameText>
      </h1>
      <nav aria-label={title} className={`${styles.links} no-print`}>
        <Link to="/room" search={{ name: room }}>
          {toRoom}
        </Link>
        <Link to="/transcriptions" search={{ session: id }}>
          {toTranscriptions}
        </Link>
      </nav>
    </header>
  );
}

function WithoutRoom({ id }: { readonly id: string }) {
  const { title, noRoom, toRooms } = texts.session;
  return (
    <>
      <h1>{title}</h1>
      <Notice {...noRoom} kind="hint">
        <Link to="/rooms">{toRooms}</Link>
      </Notice>
      <People id={id} room={undefined} session={undefined} />
    </>
  );
}
