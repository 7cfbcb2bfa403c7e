import { NameText, personName } from '../../../../parts/name-text.tsx';
import { texts } from '../../../../texts/en.ts';
import type { Line } from './lines.ts';
import type { SeriesName } from './samples.ts';

/** What the legend says of a line. With `name`, it says which percentile the line is. */
export function LineName({ of, name }: { readonly of: Line['of']; readonly name?: SeriesName }) {
  const { lines } = texts.participant;
  if ('name' in of)
    return (
      <>
        <NameText cut>{personName(of.name)}</NameText>
        {of.lane > 1 && ` ${lines.lane(of.lane)}`}
      </>
    );
  if (of.figure === 'median') return <>{lines.median}</>;
  if (name === undefined) return <>{lines.worst}</>;
  return <>{name.startsWith('packet') ? lines.p95 : lines.p5}</>;
}
