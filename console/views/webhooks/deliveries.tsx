import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Delivery, Webhook } from '../../../client/types.ts';
import { type ListQuery, pageLimit, useApi } from '../../app/api.tsx';
import { ErrorNotice } from '../../parts/page/async-state.tsx';
import { Notice } from '../../parts/page/notice.tsx';
import { DataTable } from '../../parts/tables/data-table.tsx';
import { texts } from '../../texts/en.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { deliveryStateOf, deliveryStates, failureCodesOf, isBusy } from './webhook-state.ts';
import styles from './webhooks.module.css';

type DeliveriesProps = {
  readonly webhook: Webhook;
  readonly list: ListQuery<Delivery>;
  readonly status: string | undefined;
  readonly onStatus: (status: string | undefined) => void;
};

/** The deliveries of a webhook, and what to do about those that have failed. */
export function Deliveries({ webhook, list, status, onStatus }: DeliveriesProps) {
  const { webhookId } = webhook;
  const { deliveries, caption, noDeliveries, nothingFound, statusHint } = texts.webhook;
  const state = deliveryStateOf(status);
  const rows = useMemo(() => list.rows.filter((each) => !state || each.state === state), [list.rows, state]);
  useFreshDeliveries(webhook, list.rows);
  const again = useDeliverAgain(webhookId);
  const columns = useMemo(() => deliveryColumns(webhook, again.mutate), [webhook, again.mutate]);
  return (
    <section>
      <h2>{deliveries}</h2>
      <StatusField status={state} onStatus={onStatus} />
      {state && <p className="hint no-print">{statusHint}</p>}
      {again.error && <ErrorNotice title={texts.common.errors.notDone} error={again.error} />}
      <DataTable
        caption={caption}
        columns={columns}
        list={{ ...list, rows }}
        rowKey={({ noticeId }) => noticeId}
        empty={<Notice {...(state ? nothingFound : noDeliveries)} kind="hint" />}
      />
      <Failures deliveries={rows} />
    </section>
  );
}

const freshMs = 5_000;

/** Fetches webhook and deliveries again while they are about to change, if that costs few points. */
function useFreshDeliveries(webhook: Webhook, deliveries: readonly Delivery[]): void {
  const queries = useQueryClient();
  const isCheap = deliveries.length <= 2 * pageLimit;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!isCheap || document.hidden || !isBusy(webhook, deliveries, Date.now())) return;
      for (const name of ['webhook', 'deliveries'])
        void queries.invalidateQueries({ queryKey: [name, webhook.webhookId] });
    }, freshMs);
    return () => clearInterval(timer);
  }, [webhook, deliveries, isCheap, queries]);
}

function useDeliverAgain(webhookId: string) {
  const { client } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ noticeId, createdAt }: Delivery) => client.webhooks.replay(webhookId, { noticeId, createdAt }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['deliveries', webhookId] }),
  });
}

function StatusField({ status, onStatus }: Pick<DeliveriesProps, 'status' | 'onStatus'>) {
  const { status: words, states: names } = texts.webhook;
  return (
    <div className="toolbar no-print">
      <label className="field">
        {words.label}
        <select className="select" value={status ?? ''} onChange={({ target }) => onStatus(target.value || undefined)}>
          <option value="">{words.all}</option>
          {deliveryStates.map((state) => (
            <option key={state} value={state}>
              {names[state]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Failures({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const { whatToDo, failures } = texts.webhook;
  const codes = failureCodesOf(deliveries);
  if (codes.length === 0) return null;
  return (
    <section className={styles.failures}>
      <h2>{whatToDo}</h2>
      <dl>
        {codes.map((code) => (
          <div key={code}>
            <dt>
              <code>{code}</code>
            </dt>
            <dd>{failures[code].join(' ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
