import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../app/api.tsx';
import { ErrorNotice, Loading } from '../../parts/async-state.tsx';
import { NameText, shownName } from '../../parts/name-text.tsx';
import { Notice } from '../../parts/notice.tsx';
import { sessionQuery } from '../../parts/session-query.ts';
import { useDocumentTitle } from '../../parts/use-document-title.ts';
import { texts } from '../../texts/en.ts';
import { Network } from './network.tsx';
import { readOthers } from './others.ts';
import styles from './participant.module.css';
import { usePeopleNetwork } from './use-network.ts';

/** The network of one participant, beside that of the session and of up to five others. */
export function ParticipantView() {
  const { session, id } = useSearch({ from: '/participant' });
  const { incomplete, toRooms } = texts.participant;
  if (session === undefined || id === undefined)
    return (
      <Notice {...incomplete} kind="hint">
        <Link to="/rooms">{toRooms}</Link>
      </Notice>
    );
  return <OfSession key={`${session} ${id}`} session={session} id={id} />;
}

type Of = { readonly session: string; readonly id: string };

/** The end of the session tells until when samples can exist, so it is fetched first. */
function OfSession({ session, id }: Of) {
  const { room } = useSearch({ from: '/participant' });
  const { client } = useApi();
  const [now] = useState(Date.now);
  const query = useQuery({ ...sessionQuery(client, room ?? '', session), enabled: room !== undefined });
  if (query.isLoading) return <Loading />;
  if (query.error) return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  const known = query.data;
  return <Participant session={session} id={id} endsAt={known ? Date.parse(known.endedAt ?? known.asOf) : now} />;
}

function Participant({ session, id, endsAt }: Of & { readonly endsAt: number }) {
  const search = useSearch({ from: '/participant' });
  const [own, ...others] = usePeopleNetwork(session, [id, ...readOthers(search.with, id)], endsAt);
  useDocumentTitle(own?.name ?? texts.participant.title);
  if (!own?.samples) return own?.error ? <ErrorNotice error={own.error} retry={own.retry} /> : <Loading />;
  const { notThere } = texts.participant;
  return (
    <>
      <Heading name={own.name} session={session} />
      {own.samples.connections.length === 0 ? (
        <Notice {...notThere} kind="hint" />
      ) : (
        <Network session={session} own={own} others={others} samples={own.samples} />
      )}
    </>
  );
}

function Heading({ name, session }: { readonly name: string | undefined; readonly session: string }) {
  const { room } = useSearch({ from: '/participant' });
  const { title, noName, toSession } = texts.participant;
  const shown = name === undefined ? title : name.trim() === '' ? noName : name;
  return (
    <header className={styles.heading}>
      <h1 title={shownName(shown)}>
        <NameText>{shown}</NameText>
      </h1>
      <nav aria-label={title} className="no-print">
        <Link to="/session" search={{ id: session, room }}>
          {toSession}
        </Link>
      </nav>
    </header>
  );
}
