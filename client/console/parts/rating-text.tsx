import { texts } from '../texts/en.ts';
import { formatNumber } from './formats.ts';

/** An average rating with a star and the number of ratings, or a dash if nobody rated. */
export function RatingText({ rating, count }: { readonly rating: number | null; readonly count: number }) {
  if (rating === null) return <>{texts.common.none}</>;
  return (
    <span title={texts.common.ratingOf(formatNumber(rating), count)}>
      <span aria-hidden="true">★ </span>
      {formatNumber(rating)} <span className="hint">({count})</span>
    </span>
  );
}
