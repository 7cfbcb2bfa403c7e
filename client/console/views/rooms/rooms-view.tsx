import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { pageLimit, useApi, useListQuery } from '../../app/api.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useDocumentTitle } from '../../parts/use-document-title.ts';
import { texts } from '../../texts/en.ts';
import { ColumnChoice } from './column-choice.tsx';
import { readColumns, writeColumns } from './room-column-ids.ts';
import { roomColumns } from './room-columns.tsx';
import { RoomFilters } from './room-filters.tsx';
import { isFiltered, queryOf, type RoomsSearch, shownSort } from './rooms-query.ts';

const route = getRouteApi('/rooms');
const noFilters = { find: undefined, match: undefined, from: undefined, to: undefined };

/** All rooms with their totals: find, sort, choose columns, take them along. */
export function RoomsView() {
  const { title, caption } = texts.rooms;
  const search: RoomsSearch = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changes: RoomsSearch) =>
    void navigate({
      search: { ...search, ...changes },
      replace: search.find !== undefined && changes.find !== undefined, // what is typed is one step of the history
    });
  const query = queryOf(search);
  const list = useListQuery(['rooms', query], (client, cursor, signal) =>
    client.insights.listRooms({ ...query, limit: pageLimit, ...(cursor !== undefined && { cursor }) }, { signal }),
  );
  const columns = useMemo(() => roomColumns(readColumns(search.columns)), [search.columns]);
  useDocumentTitle(title);
  return (
    <>
      <h1>{title}</h1>
      <RoomFilters search={search} onChange={change}>
        <Actions search={search} onChange={change} />
      </RoomFilters>
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

type ActionsProps = { readonly search: RoomsSearch; readonly onChange: (changes: RoomsSearch) => void };

function Actions({ search, onChange }: ActionsProps) {
  const { client } = useApi();
  const query = queryOf(search);
  return (
    <>
      <ColumnChoice
        columns={readColumns(search.columns)}
        onChange={(columns) => onChange({ columns: writeColumns(columns) })}
      />
      <DownloadButton
        filename={texts.rooms.filename}
        pieces={() => client.insights.listRooms({ ...query, limit: pageLimit }).text('csv')}
      />
      <button type="button" className="button" onClick={() => print()}>
        {texts.common.print}
      </button>
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
