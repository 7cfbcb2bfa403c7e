import type { Delivery, Webhook } from '../../../client/types.ts';
import { Figure } from '../../parts/charts/figure.tsx';
import { formatNumber } from '../../parts/formats.ts';
import { type Column, widths } from '../../parts/tables/data-table.tsx';
import { TwoLines } from '../../parts/tables/two-lines.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { texts } from '../../texts/en.ts';
import { DeliveryBadge } from './state-badge.tsx';
import { nextAttemptOf } from './webhook-state.ts';
import styles from './webhooks.module.css';

const { headings, replayed, notTried, milliseconds, deliverAgain, deliverAgainOf } = texts.webhook;

/** The columns of deliveries of a webhook. `onAgain` delivers a notice again. */
export function deliveryColumns(webhook: Webhook, onAgain: (delivery: Delivery) => void): Column<Delivery>[] {
  const attempts: Column<Delivery> = {
    id: 'lastAttemptAt',
    heading: headings.lastAttemptAt,
    width: widths.second,
    cell: (delivery) => <AttemptTimes delivery={delivery} webhook={webhook} />,
  };
  return [...columns, attempts, againColumn(onAgain)];
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
    cell: ({ latencyMs }) => (
      <Figure value={latencyMs} none={texts.common.none.any}>
        {milliseconds}
      </Figure>
    ),
  },
  {
    id: 'attempts',
    heading: headings.attempts,
    align: 'end',
    width: '6rem',
    cell: ({ attempts }) => formatNumber(attempts),
  },
];

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

function Replayed() {
  return (
    <span className="hint" title={replayed}>
      <span aria-hidden="true">↻</span>
      <span className="visually-hidden">{replayed}</span>
    </span>
  );
}

type AttemptTimesProps = { readonly delivery: Delivery; readonly webhook: Webhook };

/** When a delivery was tried last, and when or why it will be tried next. */
function AttemptTimes({ delivery, webhook }: AttemptTimesProps) {
  const last = <TimeText value={delivery.lastAttemptAt} precision="second" none={notTried} />;
  if (delivery.nextAttemptAt === null) return last;
  return <TwoLines first={last} second={<Next at={nextAttemptOf(delivery, webhook)} webhook={webhook} />} />;
}

/** A time that is over is not next: the delivery is due. */
function Next({ at, webhook: { parkedUntil } }: { readonly at: string | null; readonly webhook: Webhook }) {
  const { nextAt, pausedUntil, due, whenEnabled } = texts.webhook;
  if (at === null) return whenEnabled;
  if (Date.parse(at) <= Date.now()) return due;
  return (
    <>
      {at === parkedUntil ? pausedUntil : nextAt} <TimeText value={at} />
    </>
  );
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
