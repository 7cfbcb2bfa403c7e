import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { RoomSessionInsight } from '../../../../client/types.ts';
import { type ListQuery, usePoints } from '../../../app/api.tsx';
import { ErrorNotice, Loading } from '../../../parts/page/async-state.tsx';
import { Notice } from '../../../parts/page/notice.tsx';
import { useSessionPeople } from '../../../parts/session-people.ts';
import { SearchField } from '../../../parts/tables/search-field.tsx';
import { useTimeWindow } from '../../../parts/time-window/use-window.ts';
import { extentOf, timeOf } from '../../../parts/time-window/window.ts';
import { WindowButtons } from '../../../parts/time-window/window-buttons.tsx';
import { texts } from '../../../texts/en.ts';
import { peopleRows } from './people-rows.ts';
import { Ratings } from './ratings.tsx';
import { Timeline } from './timeline.tsx';
import type { SessionOfRow } from './timeline-row.tsx';

type PeopleProps = {
  readonly id: string;
  readonly room: string | undefined;
  readonly session: RoomSessionInsight | undefined;
};
type Person = ReturnType<typeof useSessionPeople>['rows'][number];

/** Who was in a session and when, and what they said of it. */
export function People({ id, room, session }: PeopleProps) {
  const list = useSessionPeople(id);
  const { title, empty } = texts.session.people;
  return (
    <>
      <section>
        <h2>{title}</h2>
        {list.isLoading && <Loading />}
        {list.error && <ErrorNotice error={list.error} retry={list.retry} />}
        {list.isComplete && list.rows.length === 0 && <Notice {...empty} kind="hint" />}
        {list.rows.length > 0 && <Found id={id} room={room} session={session} list={list} />}
      </section>
      {list.rows.length > 0 && <Ratings people={list.rows} isComplete={list.isComplete} id={id} room={room} />}
    </>
  );
}

type FoundProps = PeopleProps & { readonly list: ListQuery<Person> };

function Found({ id, room, session, list }: FoundProps) {
  const search = useSearch({ from: '/session' });
  const { find, sort } = search;
  const navigate = useNavigate({ from: '/session' });
  const rows = useMemo(() => peopleRows(list.rows, { find, sort }), [list.rows, find, sort]);
  const extent = useExtent(list.rows, session);
  const state = useTimeWindow(extent, search, (window, replace) => {
    void navigate({ search: (before) => ({ ...before, ...window }), replace, resetScroll: false });
  });
  const endedAt = session?.endedAt;
  const of = useMemo<SessionOfRow>(() => ({ id, room, endedAt }), [id, room, endedAt]);
  const { noMatch, showAll } = texts.session.people;
  return (
    <>
      <Toolbar />
      <WindowButtons state={state} />
      {/* another order begins at its top */}
      {rows.length > 0 && <Timeline key={`${sort} ${find}`} rows={rows} of={of} state={state} />}
      {rows.length === 0 && (
        <Notice {...noMatch} kind="hint">
          <button
            type="button"
            className="button"
            onClick={() => void navigate({ search: (before) => ({ ...before, find: undefined }) })}
          >
            {showAll}
          </button>
        </Notice>
      )}
      <Count shown={rows.length} list={list} />
    </>
  );
}

/** All times of the session. It grows with the people who are fetched, unless the session has told its own times. */
function useExtent(people: readonly Person[], session: RoomSessionInsight | undefined) {
  return useMemo(() => {
    const own = session && [session.startedAt, session.endedAt ?? session.asOf].map(timeOf);
    const times = people.flatMap(({ joinedAt, leftAt, asOf }) => [timeOf(joinedAt), timeOf(leftAt ?? asOf)]);
    return extentOf([...(own ?? []), ...times]) ?? { from: 0, to: 1 };
  }, [people, session]);
}

function Toolbar() {
  const { find = '', sort = 'joined:asc' } = useSearch({ from: '/session' });
  const navigate = useNavigate({ from: '/session' });
  const { people } = texts.session;
  const change = (changes: { readonly find?: string; readonly sort?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), resetScroll: false });
  return (
    <div className="toolbar no-print">
      <SearchField label={people.find} value={find} onSearch={(value) => change({ find: value })} />
      <label className="field">
        {people.sort}
        <select className="select" value={sort} onChange={({ target }) => change({ sort: target.value })}>
          {Object.entries(people.sorts).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Count({ shown, list }: { readonly shown: number; readonly list: ListQuery<Person> }) {
  const points = usePoints();
  const { people } = texts.session;
  const isWaiting = !list.isComplete && points !== undefined && points.remaining * 2 <= points.limit;
  return (
    <p className="hint" role="status">
      {people.shown(shown, list.rows.length, list.isComplete)}
      {isWaiting && `. ${people.waiting}`}
    </p>
  );
}
