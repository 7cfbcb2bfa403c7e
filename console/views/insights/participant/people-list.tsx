import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { SessionParticipant } from '../../../../client/types.ts';
import { NameText, personName } from '../../../parts/name-text.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { texts } from '../../../texts/en.ts';
import { peopleRows } from '../session/people-rows.ts';
import styles from './others.module.css';

type PeopleListProps = {
  readonly people: readonly SessionParticipant[];
  readonly onChoose: (participantId: string) => void;
};

/** So many are listed at once. */
const mostShown = 50;

/** A field with a list below, as the pattern "combobox" of WAI-ARIA: arrows choose, Enter takes. */
export function PeopleList({ people, onChoose }: PeopleListProps) {
  const [find, setFind] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const found = useMemo(() => peopleRows(people, { find, sort: 'name:asc' }), [people, find]);
  const shown = found.slice(0, mostShown);
  const { others } = texts.participant;
  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <>
      <input
        type="text"
        role="combobox"
        className="input"
        dir="auto"
        aria-label={others.find}
        placeholder={others.find}
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? optionId(active) : undefined}
        value={find}
        onChange={({ target }) => {
          setFind(target.value);
          setActive(0);
        }}
        onKeyDown={keys(shown, active, setActive, onChoose)}
      />
      <div role="listbox" id={listId} aria-label={others.find} className={styles.options}>
        {shown.map((person, index) => (
          <Option
            key={person.participantId}
            id={optionId(index)}
            person={person}
            isActive={index === active}
            onChoose={onChoose}
          />
        ))}
      </div>
      <p className="hint" role="status">
        {found.length === 0 && others.noMatch}
        {found.length > shown.length && others.more(found.length - shown.length)}
      </p>
    </>
  );
}

function keys(
  shown: readonly SessionParticipant[],
  active: number,
  setActive: (index: number) => void,
  onChoose: (id: string) => void,
) {
  return (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = shown[active];
    if (step !== undefined && shown.length > 0) setActive((active + step + shown.length) % shown.length);
    else if (event.key === 'Enter' && chosen) onChoose(chosen.participantId);
    else return;
    event.preventDefault();
  };
}

type OptionProps = {
  readonly id: string;
  readonly person: SessionParticipant;
  readonly isActive: boolean;
  readonly onChoose: (id: string) => void;
};

function Option({ id, person, isActive, onChoose }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const { displayName, participantId, joinedAt } = person;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of the list
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    <div
      ref={element}
      role="option"
      id={id}
      aria-selected={isActive}
      className={styles.option}
      onClick={() => onChoose(participantId)}
    >
      <NameText cut>{personName(displayName)}</NameText>
      <span className="hint">
        <TimeText value={joinedAt} />
      </span>
    </div>
  );
}
