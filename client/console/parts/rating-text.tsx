import { texts } from '../texts/en.ts';
import { Figure } from './figure.tsx';
import { formatNumber } from './formats.ts';

/** An average rating with a star and the number of ratings, if anybody rated. */
export function RatingText({ rating, count }: { readonly rating: number | null; readonly count: number }) {
  return (
    <Figure value={rating} none={texts.common.none.rated} note={`(${count})`}>
      {(average) => (
        <span title={texts.common.ratingOf(formatNumber(average), count)}>
          <span aria-hidden="true">★ </span>
          {formatNumber(average)}
        </span>
      )}
    </Figure>
  );
}
