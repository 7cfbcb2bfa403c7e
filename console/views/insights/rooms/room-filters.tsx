import { PeriodFields } from '../../../parts/tables/period-fields.tsx';
import { SearchField } from '../../../parts/tables/search-field.tsx';
import { texts } from '../../../texts/en.ts';
import styles from './rooms.module.css';
import { isFiltered, type Match, matches, matchOf, type RoomsSearch } from './rooms-query.ts';

type RoomFiltersProps = {
  readonly search: RoomsSearch;
  readonly onChange: (changes: RoomsSearch) => void;
};

/** The fields that narrow the list. */
export function RoomFilters({ search, onChange }: RoomFiltersProps) {
  const { find, findPlaceholder, from, to, clear, nameHint } = texts.rooms;
  const match = matchOf(search);
  return (
    <>
      <search className="toolbar no-print">
        <div className={styles.find}>
          <MatchField match={match} onChange={(next) => onChange({ match: next === 'contains' ? undefined : next })} />
          <SearchField
            label={find}
            placeholder={findPlaceholder}
            value={search.find ?? ''}
            onSearch={(text) => onChange({ find: text || undefined })}
          />
        </div>
        <PeriodFields period={search} labels={{ from, to }} onChange={onChange} />
        {isFiltered(search) && (
          <button
            type="button"
            className="button"
            onClick={() => onChange({ find: undefined, match: undefined, from: undefined, to: undefined })}
          >
            {clear}
          </button>
        )}
      </search>
      {match !== 'contains' && <p className={`hint no-print ${styles.nameHint}`}>{nameHint}</p>}
    </>
  );
}

function MatchField({ match, onChange }: { readonly match: Match; readonly onChange: (match: Match) => void }) {
  const { match: words } = texts.rooms;
  return (
    <label className="field">
      {words.label}
      <select className="select" value={match} onChange={({ target }) => onChange(target.value as Match)}>
        {(Object.keys(matches) as Match[]).map((each) => (
          <option key={each} value={each}>
            {words[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
