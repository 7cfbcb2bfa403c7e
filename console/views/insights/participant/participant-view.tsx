import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { useApi } from '../../../app/api.tsx';
import { ErrorNotice, Loading } from '../../../parts/page/async-state.tsx';
import { Notice } from '../../../parts/page/notice.tsx';
import { useDocumentTitle } from '../../../parts/page/use-document-title.ts';
import { sessionQuery } from '../../../parts/session-query.ts';
import { texts } from '../../../texts/en.ts';
import { Network } from './network/network.tsx';
import { usePeopleNetwork } from './network/use-network.ts';
import { readOthers } from './others.ts';
import { ParticipantHeader, type SessionOfParticipant } from './participant-header.tsx';

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
  const startedAt = query.data?.startedAt;
  const shown = useMemo(() => ({ id: session, startedAt }), [session, startedAt]);
  if (query.isLoading) return <Loading />;
  if (query.error) return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  const known = query.data;
  const endsAt = known ? Date.parse(known.endedAt ?? known.asOf) : now;
  return <Participant session={shown} id={id} endsAt={endsAt} />;
}

type ParticipantProps = {
  readonly session: SessionOfParticipant;
  readonly id: string;
  readonly endsAt: number;
};

function Participant({ session, id, endsAt }: ParticipantProps) {
  const search = useSearch({ from: '/participant' });
  // React renders deferred values in short pieces of work, so that the page goes on answering.
  const people = useDeferredValue(usePeopleNetwork(session.id, [id, ...readOthers(search.with, id)], endsAt));
  const [own] = people;
  useDocumentTitle(own?.name ?? texts.participant.title);
  if (!own?.samples) return own?.error ? <ErrorNotice error={own.error} retry={own.retry} /> : <Loading />;
  if (own.samples.connections.length > 0)
    return <Network session={session} people={people} own={own} samples={own.samples} />;
  return (
    <>
      <ParticipantHeader session={session} />
      <Notice {...texts.participant.notThere} kind="hint" />
    </>
  );
}
