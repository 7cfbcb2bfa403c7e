import type { RoomInsight, RoomSessionInsight } from '../../client/types.ts';
import { texts } from '../texts/en.ts';
import { TwoLines } from './tables/two-lines.tsx';

const { observed, observedSoFar, observedHelp, inferred, missingOf, help } = texts.common.completeness;

type CompletenessProps = { readonly of: RoomInsight | RoomSessionInsight };

/** Whether times rest on the platform's word alone, and what it did not tell, in words. A room without sessions has none that could. */
export function CompletenessText({ of }: CompletenessProps) {
  const { state, missing } = of.completeness;
  const isOpen = 'endedAt' in of && of.endedAt === null;
  if ('totalSessions' in of && of.totalSessions === 0) return <span className="hint">{texts.common.none.session}</span>;
  if (state === 'observed') return <span title={observedHelp}>{isOpen ? observedSoFar : observed}</span>;
  return (
    <span title={help}>
      <Inferred />
      {missing.length > 0 && `: ${missingOf(missing)}`}
    </span>
  );
}

/** The same for the cell of a table. */
export function CompletenessCell({ of }: CompletenessProps) {
  const { state, missing } = of.completeness;
  if (state === 'observed' || missing.length === 0) return <CompletenessText of={of} />;
  const words = missingOf(missing);
  return <TwoLines first={<Inferred />} second={words} title={`${inferred}: ${words}. ${help}`} />;
}

function Inferred() {
  return (
    <>
      <span aria-hidden="true">≈ </span>
      {inferred}
    </>
  );
}
