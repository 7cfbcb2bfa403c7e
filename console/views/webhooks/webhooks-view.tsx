import { Link } from '@tanstack/react-router';
import type { Webhook } from '../../../client/types.ts';
import { pageLimit, useListQuery } from '../../app/api.tsx';
import { Figure } from '../../parts/charts/figure.tsx';
import { NameText } from '../../parts/name-text.tsx';
import { Notice } from '../../parts/page/notice.tsx';
import { useDocumentTitle } from '../../parts/page/use-document-title.ts';
import { ViewHeader } from '../../parts/page/view-header.tsx';
import { type Column, DataTable, widths } from '../../parts/tables/data-table.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { texts } from '../../texts/en.ts';
import { WebhookBadge } from './state-badge.tsx';
import styles from './webhooks.module.css';

/** All webhooks of the organization, and how each is. */
export function WebhooksView() {
  const { title, intro, caption, empty } = texts.webhooks;
  const list = useListQuery(['webhooks'], (client, cursor, signal) =>
    client.webhooks.list({ limit: pageLimit, ...(cursor !== undefined && { cursor }) }, { signal }),
  );
  useDocumentTitle(title);
  return (
    <>
      <ViewHeader>
        <h1>{title}</h1>
        <p className="hint">{intro}</p>
      </ViewHeader>
      <DataTable
        caption={caption}
        columns={columns}
        list={list}
        rowKey={({ webhookId }) => webhookId}
        empty={<Notice {...empty} kind="hint" />}
      />
      <HowTo />
    </>
  );
}

function HowTo() {
  const { text, create, rotate } = texts.webhooks.howTo;
  return (
    <section className={`hint no-print ${styles.howTo}`}>
      <p>{text}</p>
      <code>{create}</code>
      <code>{rotate}</code>
    </section>
  );
}

const { headings, allTypes, someTypes } = texts.webhooks;

const columns: readonly Column<Webhook>[] = [
  {
    id: 'url',
    heading: headings.url,
    isRowHeading: true,
    width: 'clamp(10rem, 26vw, 36rem)',
    cell: ({ webhookId, url }) => (
      <Link to="/webhook" search={{ id: webhookId }}>
        <NameText cut>{url}</NameText>
      </Link>
    ),
  },
  {
    id: 'state',
    heading: headings.state,
    width: '8rem',
    cell: (webhook) => <WebhookBadge webhook={webhook} now={Date.now()} />,
  },
  {
    id: 'failingSince',
    heading: headings.failingSince,
    width: widths.time,
    cell: ({ failingSince }) => <TimeText value={failingSince} none={texts.common.none.failure} />,
  },
  {
    id: 'description',
    heading: headings.description,
    width: '14rem',
    cell: ({ description }) => (
      <Figure value={description === '' ? null : description} none={texts.common.none.any}>
        {(text) => <NameText cut>{text}</NameText>}
      </Figure>
    ),
  },
  {
    id: 'types',
    heading: headings.types,
    width: '7rem',
    cell: ({ types }) => <span title={types?.join(', ')}>{types === null ? allTypes : someTypes(types.length)}</span>,
  },
  {
    id: 'createdAt',
    heading: headings.createdAt,
    width: widths.time,
    cell: ({ createdAt }) => <TimeText value={createdAt} />,
  },
];
