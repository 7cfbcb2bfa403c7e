import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook, WebhookTest } from '../../../client/types.ts';
import { useApi } from '../../app/api.tsx';
import { ErrorNotice } from '../../parts/page/async-state.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { texts } from '../../texts/en.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { replayFrom } from './webhook-state.ts';
import styles from './webhooks.module.css';

/** What an editor can do with a webhook: test it, replay a period, enable it again. Says what came of it. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const { test, testing, replay, replayStarted, refresh } = texts.webhook;
  const { webhookId, failingSince } = webhook;
  const { testing: tests, enabling, noted, refetch } = useActions(webhook);
  const [isReplaying, setIsReplaying] = useState(false);
  const [hasStarted, setHasStarted] = useState(false);
  const open = () => {
    setHasStarted(false);
    setIsReplaying(true);
  };
  return (
    <>
      <div className="toolbar no-print">
        <button type="button" className="button" disabled={tests.isPending} onClick={() => tests.mutate()}>
          {tests.isPending ? testing : test}
        </button>
        <button type="button" className="button" onClick={open}>
          {replay}
        </button>
        {webhook.state === 'disabled' && <EnableButton enabling={enabling} />}
        <button type="button" className="button" onClick={refetch}>
          {refresh}
        </button>
      </div>
      {tests.data && <TestResult result={tests.data} />}
      {enabling.isSuccess && <Enabled failingSince={noted} onReplay={open} />}
      {hasStarted && <Message>{replayStarted}</Message>}
      {(tests.error ?? enabling.error) && (
        <ErrorNotice title={texts.common.errors.notDone} error={(tests.error ?? enabling.error) as Error} />
      )}
      {isReplaying && (
        <ReplayDialog
          webhookId={webhookId}
          from={replayFrom(failingSince ?? noted, Date.now())}
          onClose={() => setIsReplaying(false)}
          onStarted={() => {
            setHasStarted(true);
            refetch();
          }}
        />
      )}
    </>
  );
}

type Enabling = { readonly isPending: boolean; readonly mutate: () => void };

function EnableButton({ enabling }: { readonly enabling: Enabling }) {
  return (
    <button type="button" className="button primary" disabled={enabling.isPending} onClick={() => enabling.mutate()}>
      {texts.webhook.enable}
    </button>
  );
}

/** Enabling forgets since when the webhook has failed, which a replay needs: so that is noted before. */
function useActions({ webhookId, failingSince }: Webhook) {
  const { client } = useApi();
  const queries = useQueryClient();
  const [noted, setNoted] = useState<string | null>(null);
  const refetch = () => {
    for (const name of ['webhook', 'webhooks', 'deliveries']) void queries.invalidateQueries({ queryKey: [name] });
  };
  const testing = useMutation({ mutationFn: () => client.webhooks.test(webhookId), onSettled: refetch });
  const enabling = useMutation({
    mutationFn: () => client.webhooks.update(webhookId, { state: 'enabled' }),
    onMutate: () => setNoted(failingSince),
    onSettled: refetch,
  });
  return { testing, enabling, noted, refetch };
}

function Message({ tone = 'good', children }: { readonly tone?: 'good' | 'bad'; readonly children: React.ReactNode }) {
  return (
    <div className={styles.message} data-tone={tone} role="status">
      {children}
    </div>
  );
}

function TestResult({ result }: { readonly result: WebhookTest }) {
  const { succeeded, failed } = texts.webhook.tested;
  if (result.succeeded) return <Message>{succeeded(result.answerCode ?? 0, result.latencyMs ?? 0)}</Message>;
  return (
    <Message tone="bad">
      <strong>{failed}</strong>
      <span>{result.failure?.message}</span>
    </Message>
  );
}

type EnabledProps = { readonly failingSince: string | null; readonly onReplay: () => void };

function Enabled({ failingSince, onReplay }: EnabledProps) {
  const { enabled, enabledSince, replay } = texts.webhook;
  return (
    <Message>
      {enabled}
      {failingSince !== null && (
        <>
          <span>
            {enabledSince} <TimeText value={failingSince} />
          </span>
          <button type="button" className="button" onClick={onReplay}>
            {replay}
          </button>
        </>
      )}
    </Message>
  );
}
