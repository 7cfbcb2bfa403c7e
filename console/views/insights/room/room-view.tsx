import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { pageLimit, useApi, useListQuery } from '../../../app/api.tsx';
import { NameHeading } from '../../../parts/name-heading.tsx';
import { AsyncState } from '../../../parts/page/async-state.tsx';
import { roomCrumbs } from '../../../parts/page/crumb-links.tsx';
import { Notice } from '../../../parts/page/notice.tsx';
import { Untold } from '../../../parts/page/untold.tsx';
import { useDocumentTitle } from '../../../parts/page/use-document-title.ts';
import { ViewHeader } from '../../../parts/page/view-header.tsx';
import { DataTable } from '../../../parts/tables/data-table.tsx';
import { texts } from '../../../texts/en.ts';
import { RoomFacts } from './room-facts.tsx';
import { SessionChart } from './session-chart.tsx';
import { sessionColumns, sessionColumnsOfPeriod } from './session-columns.tsx';
import { SessionPeriod } from './session-period.tsx';
import { sessionsList } from './sessions-list.ts';
import { hasPeriod, type RoomSearch, sessionSort, sessionsQuery } from './sessions-query.ts';

const route = getRouteApi('/room');

/** One room: its totals, and its sessions over time and as a table. */
export function RoomView() {
  const { title, noName, unknown } = texts.room;
  const { name } = route.useSearch();
  useDocumentTitle(name ?? title);
  return (
    <>
      {name === undefined ? (
        <ViewHeader crumbs={roomCrumbs(undefined)}>
          <h1>{title}</h1>
        </ViewHeader>
      ) : (
        <Header name={name} />
      )}
      {name === undefined ? (
        <Notice {...noName} kind="hint">
          <Link to="/rooms">{unknown.link}</Link>
        </Notice>
      ) : (
        <KnownRoom name={name} />
      )}
    </>
  );
}

function Header({ name }: { readonly name: string }) {
  const { client } = useApi();
  const search: RoomSearch = route.useSearch();
  const { filename, transcriptions } = texts.room;
  return (
    <ViewHeader
      crumbs={roomCrumbs(undefined)}
      actions={
        <Link to="/transcriptions" search={{ room: name }} className="button">
          {transcriptions}
        </Link>
      }
      csv={{
        filename,
        pieces: () => client.insights.listRoomSessions({ ...sessionsQuery(search), limit: pageLimit }).text('csv'),
      }}
    >
      <NameHeading>{name}</NameHeading>
    </ViewHeader>
  );
}

function KnownRoom({ name }: { readonly name: string }) {
  const { client } = useApi();
  const query = useQuery({
    queryKey: ['room', name],
    queryFn: async ({ signal }) => {
      const { results } = await client.insights.listRooms({ 'roomName[exact]': name }, { signal }).page();
      return results[0] ?? null;
    },
  });
  return (
    <AsyncState query={query}>
      {(room) =>
        room === null ? (
          <Untold of={{ roomName: name }}>
            <Link to="/rooms">{texts.room.unknown.link}</Link>
          </Untold>
        ) : (
          <>
            <RoomFacts room={room} />
            <Sessions />
          </>
        )
      }
    </AsyncState>
  );
}

function Sessions() {
  const search: RoomSearch = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changes: RoomSearch) => void navigate({ search: { ...search, ...changes } });
  const list = useListQuery(...sessionsList(sessionsQuery(search)));
  const isOfPeriod = hasPeriod(search);
  return (
    <>
      <SessionPeriod search={search} onChange={change} />
      <SessionChart search={search} />
      {isOfPeriod && <p className="hint no-print">{texts.room.sortHint}</p>}
      <DataTable
        caption={texts.room.caption}
        columns={isOfPeriod ? sessionColumnsOfPeriod : sessionColumns}
        list={list}
        rowKey={({ roomSessionId }) => roomSessionId}
        sort={sessionSort(search)}
        onSort={(sort) => change({ sort })}
        empty={<Notice {...(isOfPeriod ? texts.room.nothingFound : texts.room.noSessions)} kind="hint" />}
      />
    </>
  );
}
