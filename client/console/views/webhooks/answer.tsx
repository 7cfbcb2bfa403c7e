import type { Delivery } from '../../../types.ts';
import { Figure } from '../../parts/figure.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { texts } from '../../texts/en.ts';

/** What a receiver answered last, or why there is no answer, and what to do about that. */
export function Answer({ delivery: { answerCode, failureCode } }: { readonly delivery: Delivery }) {
  const { failures, noAnswer } = texts.webhook;
  const code = [answerCode, failureCode].filter((part) => part !== null).join(' ');
  const why = failureCode === null ? undefined : failures[failureCode].join(' ');
  return (
    <Figure value={code === '' ? null : code} none={noAnswer}>
      {(known) => (why === undefined ? known : <TwoLines first={known} second={why} title={why} />)}
    </Figure>
  );
}
