import type { Completeness } from '../../types.ts';
import { texts } from '../texts/en.ts';

/** Whether figures rest on the platform's word alone, and what it did not tell, in words. */
export function CompletenessText({ completeness }: { readonly completeness: Completeness }) {
  const { observed, inferredOf, help } = texts.common.completeness;
  if (completeness.state === 'observed') return <span className="hint">{observed}</span>;
  const missing = inferredOf(completeness.missing);
  return (
    <span title={`${missing}. ${help}`}>
      <span aria-hidden="true">≈ </span>
      {missing}
    </span>
  );
}
