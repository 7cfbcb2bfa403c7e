import { useState } from 'react';
import type { SessionParticipant } from '../../../../client/types.ts';
import { formatNumber } from '../../../parts/formats.ts';
import { texts } from '../../../texts/en.ts';
import { hasRated, peopleRows } from './people-rows.ts';
import { PersonLink } from './person-link.tsx';
import { Comment } from './rating-cell.tsx';
import styles from './session.module.css';

type RatingsProps = {
  readonly people: readonly SessionParticipant[];
  readonly isComplete: boolean;
  readonly id: string;
  readonly room: string | undefined;
};

/** So many ratings are shown at first: those with comments, and the worst ones. */
const shownAtFirst = 12;

/** What people said of the session, comments and bad ratings first. */
export function Ratings({ people, isComplete, id, room }: RatingsProps) {
  const [isAll, setIsAll] = useState(false);
  const { title, none, noneSoFar, showAll } = texts.session.ratings;
  const rated = peopleRows(people.filter(hasRated), { sort: 'rating:asc' }).toSorted(
    (one, other) => Number(one.comment === null) - Number(other.comment === null),
  );
  return (
    <section className={styles.ratings}>
      <h2>{title}</h2>
      {rated.length === 0 && <p className="hint">{isComplete ? none : noneSoFar}</p>}
      <ul className={styles.cards}>
        {rated.slice(0, isAll ? rated.length : shownAtFirst).map((person) => (
          <Card key={`${person.participantId} ${person.joinedAt}`} person={person} id={id} room={room} />
        ))}
      </ul>
      {!isAll && rated.length > shownAtFirst && (
        <button type="button" className="button no-print" onClick={() => setIsAll(true)}>
          {showAll(rated.length)}
        </button>
      )}
    </section>
  );
}

type CardProps = Pick<RatingsProps, 'id' | 'room'> & { readonly person: SessionParticipant };

function Card({ person, id, room }: CardProps) {
  const { of, noComment } = texts.session.ratings;
  const { rating, comment } = person;
  return (
    <li className={styles.card}>
      <p className={styles.cardHead}>
        <PersonLink person={person} of={{ id, room }} />
        {rating !== null && <span>★ {of(formatNumber(rating))}</span>}
      </p>
      {comment === null && <p className="hint">{noComment}</p>}
      <Comment person={person} />
    </li>
  );
}
