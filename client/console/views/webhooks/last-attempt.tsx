import { useQuery } from '@tanstack/react-query';
import type { Delivery } from '../../../types.ts';
import { pageLimit, useApi } from '../../app/api.tsx';
import { Figure } from '../../parts/figure.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { texts } from '../../texts/en.ts';
import { Answer } from './answer.tsx';
import { lastTried } from './webhook-state.ts';

/** When the last attempt of the latest deliveries was, and what came of it. */
export function LastAttempt({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const { length } = deliveries;
  return (
    <Figure
      value={lastTried(deliveries)}
      none={length === 0 ? texts.common.none.any : texts.webhooks.noneTried(length)}
    >
      {(last) => (
        <>
          <TimeText value={last.lastAttemptAt ?? last.createdAt} precision="second" /> <Answer delivery={last} />
        </>
      )}
    </Figure>
  );
}

/** The same for the list of webhooks, which are few: it fetches the latest deliveries of each. */
export function LastAttemptOf({ webhookId }: { readonly webhookId: string }) {
  const { client } = useApi();
  const { data, isError } = useQuery({
    queryKey: ['deliveries', webhookId, 'latest'],
    queryFn: ({ signal }) => client.webhooks.listDeliveries(webhookId, { limit: pageLimit }, { signal }).page(),
  });
  if (!data) return <span className="hint">{isError ? texts.common.none.loaded : '…'}</span>;
  return <LastAttempt deliveries={data.results} />;
}
