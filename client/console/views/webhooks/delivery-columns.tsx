import type { Delivery } from '../../../types.ts';
import type { Column } from '../../parts/data-table.tsx';
import { formatNumber } from '../../parts/formats.ts';
import { TimeText } from '../../parts/time-text.tsx';
import { texts } from '../../texts/en.ts';
import { DeliveryBadge } from './state-badge.tsx';
import styles from './webhooks.module.css';

const { headings, replayed, milliseconds, deliverAgain, deliverAgainOf, failures } = texts.webhook;

/** The columns of deliveries. `onAgain` delivers a notice again. */
export function deliveryColumns(onAgain: (delivery: Delivery) => void): Column<Delivery>[] {
  return [...columns, againColumn(onAgain)];
}

const columns: readonly Column<Delivery>[] = [
  {
    id: 'createdAt',
    heading: headings.createdAt,
    isRowHeading: true,
    width: '13rem',
    cell: ({ createdAt }) => <TimeText value={createdAt} precision="second" />,
  },
  { id: 'type', heading: headings.type, width: '15rem', cell: ({ type }) => type },
  {
    id: 'state',
    heading: headings.state,
    width: '12rem',
    cell: (delivery) => (
      <>
        <DeliveryBadge state={delivery.state} /> {delivery.replayed && <span className="hint">{replayed}</span>}
      </>
    ),
  },
  { id: 'answer', heading: headings.answer, width: '14rem', cell: (delivery) => <Answer delivery={delivery} /> },
  {
    id: 'latency',
    heading: headings.latency,
    align: 'end',
    width: '7rem',
    cell: ({ latencyMs }) => (latencyMs === null ? texts.common.none : milliseconds(latencyMs)),
  },
  {
    id: 'attempts',
    heading: headings.attempts,
    align: 'end',
    width: '7rem',
    cell: ({ attempts }) => formatNumber(attempts),
  },
  {
    id: 'nextAttemptAt',
    heading: headings.nextAttemptAt,
    width: '13rem',
    cell: ({ nextAttemptAt }) => <TimeText value={nextAttemptAt} precision="second" />,
  },
  {
    id: 'lastAttemptAt',
    heading: headings.lastAttemptAt,
    width: '13rem',
    cell: ({ lastAttemptAt }) => <TimeText value={lastAttemptAt} precision="second" />,
  },
  { id: 'noticeId', heading: headings.noticeId, width: '20rem', cell: ({ noticeId }) => noticeId },
];

function againColumn(onAgain: (delivery: Delivery) => void): Column<Delivery> {
  return {
    id: 'again',
    heading: headings.again,
    width: '9rem',
    cell: (delivery) =>
      delivery.state === 'failed' && (
        <button
          type="button"
          className={`button ${styles.again}`}
          aria-label={deliverAgainOf(delivery.noticeId)}
          onClick={() => onAgain(delivery)}
        >
          {deliverAgain}
        </button>
      ),
  };
}

function Answer({ delivery: { answerCode, failureCode } }: { readonly delivery: Delivery }) {
  const code = answerCode === null ? '' : `${answerCode} `;
  if (failureCode === null) return code || texts.common.none;
  return (
    <span title={failures[failureCode].join(' ')}>
      {code}
      {failureCode}
    </span>
  );
}
