import type { Delivery } from '../../../types.ts';
import { type Column, widths } from '../../parts/data-table.tsx';
import { formatNumber } from '../../parts/formats.ts';
import { TimeText } from '../../parts/time-text.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { texts } from '../../texts/en.ts';
import { DeliveryBadge } from './state-badge.tsx';
import styles from './webhooks.module.css';

const { headings, replayed, notTried, nextAt, milliseconds, deliverAgain, deliverAgainOf, failures } = texts.webhook;

/** The columns of deliveries. `onAgain` delivers a notice again. */
export function deliveryColumns(onAgain: (delivery: Delivery) => void): Column<Delivery>[] {
  return [...columns, againColumn(onAgain)];
}

const columns: readonly Column<Delivery>[] = [
  {
    id: 'createdAt',
    heading: headings.createdAt,
    isRowHeading: true,
    width: widths.second,
    cell: ({ createdAt }) => <TimeText value={createdAt} precision="second" />,
  },
  {
    id: 'notice',
    heading: headings.notice,
    width: '15rem',
    cell: ({ type, noticeId }) => <TwoLines first={type} second={noticeId} title={noticeId} />,
  },
  {
    id: 'state',
    heading: headings.state,
    width: '8rem',
    cell: ({ state, replayed: isReplayed }) => (
      <>
        <DeliveryBadge state={state} /> {isReplayed && <Replayed />}
      </>
    ),
  },
  { id: 'answer', heading: headings.answer, width: '9.5rem', cell: (delivery) => <Answer delivery={delivery} /> },
  {
    id: 'latency',
    heading: headings.latency,
    align: 'end',
    width: '5.5rem',
    cell: ({ latencyMs }) => (latencyMs === null ? texts.common.none : milliseconds(latencyMs)),
  },
  {
    id: 'attempts',
    heading: headings.attempts,
    align: 'end',
    width: '6rem',
    cell: ({ attempts }) => formatNumber(attempts),
  },
  {
    id: 'lastAttemptAt',
    heading: headings.lastAttemptAt,
    width: widths.second,
    cell: (delivery) => <AttemptTimes delivery={delivery} />,
  },
];

function Replayed() {
  return (
    <span className="hint" title={replayed}>
      <span aria-hidden="true">↻</span>
      <span className="visually-hidden">{replayed}</span>
    </span>
  );
}

/** When a delivery was tried last, and when it will be tried next. */
function AttemptTimes({ delivery: { lastAttemptAt, nextAttemptAt } }: { readonly delivery: Delivery }) {
  const last = <TimeText value={lastAttemptAt} precision="second" none={notTried} />;
  if (nextAttemptAt === null) return last;
  const next = (
    <>
      {nextAt} <TimeText value={nextAttemptAt} />
    </>
  );
  return <TwoLines first={last} second={next} />;
}

function againColumn(onAgain: (delivery: Delivery) => void): Column<Delivery> {
  return {
    id: 'again',
    heading: headings.again,
    width: '8.5rem',
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
  const why = failures[failureCode].join(' ');
  return <TwoLines first={`${code}${failureCode}`} second={why} title={why} />;
}
