import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { pageLimit, useApi } from '../../../app/api.tsx';
import { NameText } from '../../../parts/name-text.tsx';
import { AsyncState } from '../../../parts/page/async-state.tsx';
import { roomCrumbs } from '../../../parts/page/crumb-links.tsx';
import { Notice } from '../../../parts/page/notice.tsx';
import { Untold } from '../../../parts/page/untold.tsx';
import { useDocumentTitle } from '../../../parts/page/use-document-title.ts';
import { ViewHeader } from '../../../parts/page/view-header.tsx';
import { sessionQuery } from '../../../parts/session-query.ts';
import { texts } from '../../../texts/en.ts';
import { People } from './people.tsx';
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
      <Header id={id} room={room} />
      <AsyncState query={query}>
        {(session) =>
          session ? (
            <>
              <SessionFacts session={session} />
              <People id={id} room={room} session={session} />
            </>
          ) : (
            <Untold of={{ roomSessionId: id }}>
              <Link to="/room" search={{ name: room }}>
                {texts.session.toRoom}
              </Link>
            </Untold>
          )
        }
      </AsyncState>
    </>
  );
}

function Header({ id, room }: { readonly id: string; readonly room: string | undefined }) {
  const { client } = useApi();
  const { title, toTranscriptions, filename } = texts.session;
  return (
    <ViewHeader
      crumbs={roomCrumbs(room)}
      actions={
        <Link to="/transcriptions" search={{ session: id }} className="button">
          {toTranscriptions}
        </Link>
      }
      csv={{
        filename: filename(id),
        pieces: () => client.insights.listParticipants({ roomSessionId: id, limit: pageLimit }).text('csv'),
      }}
    >
      <h1>
        {title} {room !== undefined && <NameText>{room}</NameText>}
      </h1>
    </ViewHeader>
  );
}

function WithoutRoom({ id }: { readonly id: string }) {
  const { noRoom, toRooms } = texts.session;
  return (
    <>
      <Header id={id} room={undefined} />
      <Notice {...noRoom} kind="hint">
        <Link to="/rooms">{toRooms}</Link>
      </Notice>
      <People id={id} room={undefined} session={undefined} />
    </>
  );
}
