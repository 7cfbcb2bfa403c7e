import type { SessionParticipant } from '../../../../client/types.ts';
import { formatNumber } from '../../../parts/formats.ts';
import { NameText } from '../../../parts/name-text.tsx';
import { texts } from '../../../texts/en.ts';
import styles from './timeline.module.css';

type RatingCellProps = {
  readonly person: SessionParticipant;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

/** A person's rating, and a button that shows what the person wrote. */
export function RatingCell({ person: { rating, comment, tags }, isOpen, onToggle }: RatingCellProps) {
  const { people, ratings } = texts.session;
  const hasMore = comment !== null || tags.length > 0;
  if (rating === null && !hasMore) return <span className="hint">{texts.common.none.rated}</span>;
  return (
    <>
      {rating !== null && <span title={ratings.of(formatNumber(rating))}>★ {formatNumber(rating)}</span>}{' '}
      {hasMore && (
        <button type="button" className={`${styles.more} no-print`} aria-expanded={isOpen} onClick={onToggle}>
          {comment === null ? people.tagsButton : people.comment}
        </button>
      )}
    </>
  );
}

/** What somebody wrote and chose beside a rating, in the lines in which it was written. */
export function Comment({ person: { comment, tags } }: { readonly person: SessionParticipant }) {
  return (
    <>
      {comment?.split(/\r?\n/).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are never reordered
        <p key={index} className={styles.line}>
          <NameText>{line}</NameText>
        </p>
      ))}
      {tags.length > 0 && (
        <ul className={styles.tags} aria-label={texts.session.people.tags}>
          {[...new Set(tags)].map((tag) => (
            <li key={tag}>
              <NameText>{tag}</NameText>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
