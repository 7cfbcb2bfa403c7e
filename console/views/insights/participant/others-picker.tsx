import { Popover } from 'radix-ui';
import { useState } from 'react';
import { markedName, NameText } from '../../../parts/name-text.tsx';
import { ErrorNotice, Loading } from '../../../parts/page/async-state.tsx';
import { useSessionPeople } from '../../../parts/session-people.ts';
import { texts } from '../../../texts/en.ts';
import { Swatch } from './network/legend.tsx';
import { type Line, lookOf } from './network/lines.ts';
import styles from './others.module.css';
import { mostOthers } from './others.ts';
import { PeopleList } from './people-list.tsx';

type OthersPickerProps = {
  readonly session: string;
  readonly ownId: string;
  /** The others with their names, as far as these are known. */
  readonly others: readonly { readonly id: string; readonly name: string | undefined }[];
  readonly onChange: (ids: readonly string[]) => void;
};

/** Chooses up to five others of the session, whose lines the charts then show, too. */
export function OthersPicker({ session, ownId, others, onChange }: OthersPickerProps) {
  const { title, remove } = texts.participant.others;
  const ids = others.map(({ id }) => id);
  return (
    <section aria-label={title} className={`${styles.others} no-print`}>
      <h2>{title}</h2>
      <ul className="chips">
        {others.map(({ id, name = id }, index) => (
          <li key={id} className="chip">
            <Swatch line={lookOf(index + 1) as Line} />
            <NameText cut>{name}</NameText>
            <button
              type="button"
              className={styles.remove}
              aria-label={remove(markedName(name))}
              onClick={() => onChange(ids.filter((each) => each !== id))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <AddPerson
        session={session}
        excluded={[ownId, ...ids]}
        isFull={ids.length >= mostOthers}
        onAdd={(id) => onChange([...ids, id])}
      />
    </section>
  );
}

type AddPersonProps = {
  readonly session: string;
  readonly excluded: readonly string[];
  readonly isFull: boolean;
  readonly onAdd: (id: string) => void;
};

function AddPerson({ session, excluded, isFull, onAdd }: AddPersonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { add, full } = texts.participant.others;
  if (isFull) return <p className="hint">{full}</p>;
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen} modal={false}>
      <Popover.Trigger className="button">{add}</Popover.Trigger>
      <Popover.Content className={styles.popover} align="start" sideOffset={4} collisionPadding={8} aria-label={add}>
        <Candidates
          session={session}
          excluded={excluded}
          onChoose={(id) => {
            onAdd(id);
            setIsOpen(false);
          }}
        />
      </Popover.Content>
    </Popover.Root>
  );
}

type CandidatesProps = Pick<AddPersonProps, 'session' | 'excluded'> & { readonly onChoose: (id: string) => void };

/** Fetches the people of the session only when the reader looks for one. */
function Candidates({ session, excluded, onChoose }: CandidatesProps) {
  const list = useSessionPeople(session);
  if (list.isLoading) return <Loading />;
  if (list.error && list.rows.length === 0) return <ErrorNotice error={list.error} retry={list.retry} />;
  const people = list.rows.filter(({ participantId }) => !excluded.includes(participantId));
  return <PeopleList people={people} onChoose={onChoose} />;
}
