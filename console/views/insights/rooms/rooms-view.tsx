import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { pageLimit, useApi, useListQuery } from '../../../app/api.tsx';
import { Notice } from '../../../parts/page/notice.tsx';
import { useDocumentTitle } from '../../../parts/page/use-document-title.ts';
import { ViewHeader } from '../../../parts/page/view-header.tsx';
import { DataTable } from '../../../parts/tables/data-table.tsx';
import { texts } from '../../../texts/en.ts';
import { ColumnChoice } from './column-choice.tsx';
import { readColumns, writeColumns } from './room-column-ids.ts';
import { roomColumns } from './room-columns.tsx';
import { RoomFilters } from './room-filters.tsx';
import { isFiltered, queryOf, type RoomsSearch, shownSort } from './rooms-query.ts';

const route = getRouteApi('/rooms');
const noFilters = { find: undefined, match: undefined, from: undefined, to: undefined };

/** All rooms with their totals: find, sort, choose columns, take them along. */
export function RoomsView() {
  const { title, caption, filename } = texts.rooms;
  const search: RoomsSearch = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changes: RoomsSearch) =>
    void navigate({
      search: { ...search, ...changes },
      replace: search.find !== undefined && changes.find !== undefined, // what is typed is one step of the history
    });
  const { client } = useApi();
  const query = queryOf(search);
  const list = useListQuery(['rooms', query], (api, cursor, signal) =>
    api.insights.listRooms({ ...query, limit: pageLimit, ...(cursor !== undefined && { cursor }) }, { signal }),
  );
  const columns = useMemo(() => roomColumns(readColumns(search.columns)), [search.columns]);
  useDocumentTitle(title);
  return (
    <>
      <ViewHeader
        actions={
          <ColumnChoice
            columns={readColumns(search.columns)}
            onChange={(chosen) => change({ columns: writeColumns(chosen) })}
          />
        }
        csv={{ filename, pieces: () => client.insights.listRooms({ ...query, limit: pageLimit }).text('csv') }}
      >
        <h1>{title}</h1>
      </ViewHeader>
      <RoomFilters search={search} onChange={change} />
      <DataTable
        caption={caption}
        columns={columns}
        list={list}
        rowKey={({ roomName }) => roomName}
        sort={shownSort(search)}
        onSort={(sort) => change({ sort })}
        empty={isFiltered(search) ? <NothingFound onClear={() => change(noFilters)} /> : <NoRooms />}
      />
    </>
  );
}

function NothingFound({ onClear }: { readonly onClear: () => void }) {
  const { nothingFound, clear } = texts.rooms;
  return (
    <Notice {...nothingFound} kind="hint">
      <button type="button" className="button" onClick={onClear}>
        {clear}
      </button>
    </Notice>
  );
}

function NoRooms() {
  const { title, text } = texts.rooms.empty;
  return <Notice title={title} text={text} kind="hint" />;
}
