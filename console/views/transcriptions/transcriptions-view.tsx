import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { pageLimit, useApi, useListQuery } from '../../app/api.tsx';
import { Notice } from '../../parts/page/notice.tsx';
import { useDocumentTitle } from '../../parts/page/use-document-title.ts';
import { useRegularly } from '../../parts/page/use-regularly.ts';
import { ViewHeader } from '../../parts/page/view-header.tsx';
import { DataTable } from '../../parts/tables/data-table.tsx';
import { texts } from '../../texts/en.ts';
import { FilterBar } from './filter-bar.tsx';
import {
  filtersOf,
  isWorthRefreshing,
  problemOf,
  queryOf,
  sortFieldsOf,
  sortOf,
  type TranscriptionsSearch,
} from './filters.ts';
import { transcriptionColumns } from './transcription-columns.tsx';

const route = getRouteApi('/transcriptions');
const { title, problems, problemTitle, showAll } = texts.transcriptions;

/** All transcriptions: their states, failures and what to do, with the filters that the service has. */
export function TranscriptionsView() {
  useDocumentTitle(title);
  const search: TranscriptionsSearch = route.useSearch();
  const navigate = route.useNavigate();
  const refresh = useRefresh();
  const change = (changes: TranscriptionsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true, resetScroll: false });
  const problem = problemOf(search);
  return (
    <>
      <Header search={search} hasRows={problem === undefined} refresh={refresh} />
      <div className="toolbar no-print">
        <FilterBar search={search} change={change} />
      </div>
      {problem ? (
        <Notice title={problemTitle} text={problems[problem]} kind="hint">
          <Link to="/transcriptions">{showAll}</Link>
        </Notice>
      ) : (
        <TranscriptionTable search={search} refresh={refresh} onSort={(sort) => change({ sort })} />
      )}
    </>
  );
}

function useRefresh(): () => void {
  const queries = useQueryClient();
  return useCallback(() => void queries.invalidateQueries({ queryKey: ['transcriptions'] }), [queries]);
}

type HeaderProps = {
  readonly search: TranscriptionsSearch;
  readonly hasRows: boolean;
  readonly refresh: () => void;
};

function Header({ search, hasRows, refresh }: HeaderProps) {
  const { client } = useApi();
  const { filename, refresh: refreshText } = texts.transcriptions;
  const pieces = () => client.transcriptions.list({ ...queryOf(search), limit: pageLimit }).text('csv');
  return (
    <ViewHeader
      actions={
        <button type="button" className="button" onClick={refresh}>
          {refreshText}
        </button>
      }
      csv={hasRows ? { filename, pieces } : undefined}
    >
      <h1>{title}</h1>
    </ViewHeader>
  );
}

type TranscriptionTableProps = {
  readonly search: TranscriptionsSearch;
  readonly refresh: () => void;
  readonly onSort: (sort: string) => void;
};

function TranscriptionTable({ search, refresh, onSort }: TranscriptionTableProps) {
  const query = queryOf(search);
  const key = ['transcriptions', query];
  const list = useListQuery(key, (client, cursor, signal) =>
    client.transcriptions.list({ ...query, cursor, limit: pageLimit }, { signal }),
  );
  const isRefreshing = isWorthRefreshing(list.rows);
  useRegularly(refresh, isRefreshing);
  const sortFields = sortFieldsOf(search);
  return (
    <>
      <DataTable
        caption={texts.transcriptions.caption}
        columns={transcriptionColumns(sortFields)}
        list={list}
        rowKey={({ transcriptionId }) => transcriptionId}
        sort={sortOf(search)}
        onSort={onSort}
        empty={<Empty search={search} />}
      />
      <Hints isRefreshing={isRefreshing} isByStart={sortFields.length === 1} />
    </>
  );
}

function Hints({ isRefreshing, isByStart }: { readonly isRefreshing: boolean; readonly isByStart: boolean }) {
  const { refreshes, onlyByStart } = texts.transcriptions;
  return (
    <p className="hint no-print">
      {isRefreshing && `${refreshes} `}
      {isByStart && onlyByStart}
    </p>
  );
}

function Empty({ search }: { readonly search: TranscriptionsSearch }) {
  const { empty, emptyRemedy, noneFound, noneFoundRemedy } = texts.transcriptions;
  const isFiltered = filtersOf(search).length > 0 || search.from !== undefined || search.to !== undefined;
  if (!isFiltered) return <Notice title={empty} text={emptyRemedy} kind="hint" />;
  return (
    <Notice title={noneFound} text={noneFoundRemedy} kind="hint">
      <Link to="/transcriptions">{showAll}</Link>
    </Notice>
  );
}
