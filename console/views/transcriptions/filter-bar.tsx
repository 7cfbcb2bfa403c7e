import { useState } from 'react';
import { PeriodFields } from '../../parts/tables/period-fields.tsx';
import { SearchField } from '../../parts/tables/search-field.tsx';
import { texts } from '../../texts/en.ts';
import { type FilterName, filterNames, filtersOf, states, type TranscriptionsSearch, types } from './filters.ts';

type FilterBarProps = {
  readonly search: TranscriptionsSearch;
  readonly change: (changes: TranscriptionsSearch) => void;
};

const nothing = { state: undefined, room: undefined, session: undefined, type: undefined };
const firstValues = { state: 'in_progress', type: 'RECORDING_TRANSCRIPTION', room: undefined, session: undefined };

/** One filter, as the service takes one at a time, and a period. */
export function FilterBar({ search, change }: FilterBarProps) {
  const { filterBy, filters, from, to } = texts.transcriptions;
  const [given] = filtersOf(search);
  const [chosen, setChosen] = useState<FilterName>();
  const name = given ?? chosen;
  const choose = (next: FilterName | undefined) => {
    setChosen(next);
    change({ ...nothing, ...(next && { [next]: firstValues[next] }) });
  };
  return (
    <>
      <label className="field">
        {filterBy}
        <select
          className="select"
          value={name ?? ''}
          onChange={({ target }) => choose(filterNames.find((each) => each === target.value))}
        >
          <option value="">{filters.none}</option>
          {filterNames.map((each) => (
            <option key={each} value={each}>
              {filters[each]}
            </option>
          ))}
        </select>
      </label>
      {name && (
        <FilterValue
          name={name}
          value={search[name] ?? ''}
          change={(value) => change({ ...nothing, [name]: value === '' ? undefined : value })}
        />
      )}
      <PeriodFields period={search} labels={{ from, to }} onChange={change} />
    </>
  );
}

type FilterValueProps = {
  readonly name: FilterName;
  readonly value: string;
  readonly change: (value: string) => void;
};

function FilterValue({ name, value, change }: FilterValueProps) {
  const {
    state,
    type,
    room,
    roomHint,
    session,
    sessionHint,
    states: stateTexts,
    types: typeTexts,
  } = texts.transcriptions;
  if (name === 'room') return <SearchField label={room} placeholder={roomHint} value={value} onSearch={change} />;
  if (name === 'session')
    return <SearchField label={session} placeholder={sessionHint} value={value} onSearch={change} />;
  const choices =
    name === 'state'
      ? states.map((each) => ({ each, text: stateTexts[each] }))
      : types.map((each) => ({ each, text: typeTexts[each] }));
  return (
    <label className="field">
      {name === 'state' ? state : type}
      <select className="select" value={value} onChange={({ target }) => change(target.value)}>
        {choices.map(({ each, text }) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
