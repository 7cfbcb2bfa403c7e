import type { Completeness } from '../../types.ts';
import { texts } from '../texts/en.ts';
import { TwoLines } from './two-lines.tsx';

const { observed, inferred, missingOf, help } = texts.common.completeness;

type CompletenessProps = { readonly completeness: Completeness };

/** Whether figures rest on the platform's word alone, and what it did not tell, in words. */
export function CompletenessText({ completeness: { state, missing } }: CompletenessProps) {
  if (state === 'observed') return <span className="hint">{observed}</span>;
  return (
    <span title={help}>
      <Inferred />
      {missing.length > 0 && `: ${missingOf(missing)}`}
    </span>
  );
}

/** The same for the cell of a table. */
export function CompletenessCell({ completeness }: CompletenessProps) {
  const { state, missing } = completeness;
  if (state === 'observed' || missing.length === 0) return <CompletenessText completeness={completeness} />;
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
