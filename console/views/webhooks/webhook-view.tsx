import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Delivery, Webhook } from '../../../client/types.ts';
import { type ListQuery, pageLimit, useApi, useListQuery } from '../../app/api.tsx';
import { NameHeading } from '../../parts/name-heading.tsx';
import { AsyncState } from '../../parts/page/async-state.tsx';
import { Notice } from '../../parts/page/notice.tsx';
import { useDocumentTitle } from '../../parts/page/use-document-title.ts';
import { ViewHeader } from '../../parts/page/view-header.tsx';
import { texts } from '../../texts/en.ts';
import { Deliveries } from './deliveries.tsx';
import { deliveriesCsv } from './deliveries-csv.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { lastTried } from './webhook-state.ts';

const route = getRouteApi('/webhook');

/** One webhook: how it is, its deliveries, and what an editor can do with it. */
export function WebhookView() {
  const { noId } = texts.webhook;
  const { id } = route.useSearch();
  if (id !== undefined) return <WebhookOf id={id} />;
  return (
    <>
      <Header webhook={undefined} />
      <Notice {...noId} kind="hint">
        <Link to="/webhooks">{texts.webhooks.title}</Link>
      </Notice>
    </>
  );
}

function WebhookOf({ id }: { readonly id: string }) {
  const { title, unknown } = texts.webhook;
  const { client } = useApi();
  const query = useQuery({
    queryKey: ['webhook', id],
    queryFn: ({ signal }) => client.webhooks.get(id, { signal }),
  });
  useDocumentTitle(query.data?.url ?? title);
  return (
    <>
      <Header webhook={query.data} />
      <AsyncState query={query} notFound={unknown}>
        {(webhook) => <Known webhook={webhook} />}
      </AsyncState>
    </>
  );
}

function Header({ webhook }: { readonly webhook: Webhook | undefined }) {
  const { client } = useApi();
  const { status } = route.useSearch();
  const { title, filename } = texts.webhook;
  const csv = webhook && {
    filename: filename(webhook.webhookId),
    pieces: () => deliveriesCsv(client.webhooks.listDeliveries(webhook.webhookId, { limit: pageLimit }), status),
  };
  return (
    <ViewHeader
      crumbs={[
        <Link key="webhooks" to="/webhooks">
          {texts.webhooks.title}
        </Link>,
      ]}
      csv={csv}
    >
      {webhook ? <NameHeading>{webhook.url}</NameHeading> : <h1>{title}</h1>}
    </ViewHeader>
  );
}

function Known({ webhook }: { readonly webhook: Webhook }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const { webhookId } = webhook;
  const list = useListQuery(['deliveries', webhookId], (client, cursor, signal) =>
    client.webhooks.listDeliveries(
      webhookId,
      { limit: pageLimit, ...(cursor !== undefined && { cursor }) },
      { signal },
    ),
  );
  useFetchedUntilTried(webhook, list);
  return (
    <>
      <WebhookFacts webhook={webhook} deliveries={list} />
      <WebhookActions webhook={webhook} />
      <Deliveries
        webhook={webhook}
        list={list}
        status={status}
        onStatus={(next) => void navigate({ search: { id: webhookId, status: next } })}
      />
    </>
  );
}

/** Fetches more deliveries of a failing webhook until one was tried, which says why it fails: those that wait for a parking come before it. */
function useFetchedUntilTried({ failingSince }: Webhook, list: ListQuery<Delivery>): void {
  const { points } = useApi();
  const { rows, isComplete, isLoading, isFetchingMore, error, fetchMore } = list;
  const isFetchable = !isComplete && !isLoading && !isFetchingMore && !error && points.areMany;
  const isWanted = failingSince !== null && isFetchable && lastTried(rows) === undefined;
  useEffect(() => {
    if (isWanted) fetchMore();
  }, [isWanted, fetchMore]);
}
