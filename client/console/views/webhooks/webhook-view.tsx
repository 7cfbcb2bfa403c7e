import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Webhook } from '../../../types.ts';
import { useApi } from '../../app/api.tsx';
import { AsyncState } from '../../parts/async-state.tsx';
import { Crumbs } from '../../parts/crumbs.tsx';
import { NameHeading } from '../../parts/name-heading.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useDocumentTitle } from '../../parts/use-document-title.ts';
import { texts } from '../../texts/en.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookFacts } from './webhook-facts.tsx';

const route = getRouteApi('/webhook');

/** One webhook: how it is, its deliveries, and what an editor can do with it. */
export function WebhookView() {
  const { title, noId } = texts.webhook;
  const { id } = route.useSearch();
  return (
    <>
      <Crumbs>
        <Link to="/webhooks">{texts.webhooks.title}</Link>
      </Crumbs>
      {id === undefined ? (
        <>
          <h1>{title}</h1>
          <Notice {...noId} kind="hint">
            <Link to="/webhooks">{texts.webhooks.title}</Link>
          </Notice>
        </>
      ) : (
        <WebhookOf id={id} />
      )}
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
      {query.data ? <NameHeading>{query.data.url}</NameHeading> : <h1>{title}</h1>}
      <AsyncState query={query} notFound={unknown}>
        {(webhook) => <Known webhook={webhook} />}
      </AsyncState>
    </>
  );
}

function Known({ webhook }: { readonly webhook: Webhook }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <WebhookFacts webhook={webhook} />
      <WebhookActions webhook={webhook} />
      <Deliveries
        webhook={webhook}
        status={status}
        onStatus={(next) => void navigate({ search: { id: webhook.webhookId, status: next } })}
      />
    </>
  );
}
