import type { Delivery, Webhook } from '../../../client/types.ts';
import type { ListQuery } from '../../app/api.tsx';
import { NameText } from '../../parts/name-text.tsx';
import { Fact, Facts } from '../../parts/tables/facts.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { texts } from '../../texts/en.ts';
import { Answer } from './delivery-columns.tsx';
import { WebhookBadge } from './state-badge.tsx';
import { lastTried } from './webhook-state.ts';

type WebhookFactsProps = { readonly webhook: Webhook; readonly deliveries: ListQuery<Delivery> };

/** How a webhook is, and what it gets. Times that it does not have are left out. */
export function WebhookFacts({ webhook, deliveries }: WebhookFactsProps) {
  const { facts, disabledBy, replayOf } = texts.webhook;
  const { types, replay, description } = webhook;
  return (
    <Facts>
      <Fact name={facts.state}>
        <WebhookBadge webhook={webhook} now={Date.now()} />
      </Fact>
      {webhook.disabledBy !== null && <Fact name={facts.disabledBy}>{disabledBy[webhook.disabledBy]}</Fact>}
      <TimeFact name={facts.failingSince} value={webhook.failingSince} />
      <TimeFact name={facts.parkedUntil} value={webhook.parkedUntil} />
      {deliveries.rows.length > 0 && <DeliveryFacts list={deliveries} isFailing={webhook.failingSince !== null} />}
      <Fact name={facts.types}>{types === null ? texts.webhooks.allTypes : types.join(', ')}</Fact>
      <Fact name={facts.signature}>{webhook.signature}</Fact>
      {description !== '' && (
        <Fact name={facts.description}>
          <NameText>{description}</NameText>
        </Fact>
      )}
      <TimeFact name={facts.createdAt} value={webhook.createdAt} />
      <TimeFact name={facts.previousSecret} value={webhook.previousSecretExpiresAt} />
      {replay && <Fact name={facts.replay}>{replayOf[replay.state](replay.planned)}</Fact>}
      <Fact name={facts.id} isWide>
        {webhook.webhookId}
      </Fact>
    </Facts>
  );
}

type DeliveryFactsProps = { readonly list: ListQuery<Delivery>; readonly isFailing: boolean };

/** How many deliveries have succeeded, and what came of the last attempt: why a webhook fails. */
function DeliveryFacts({ list: { rows, isComplete }, isFailing }: DeliveryFactsProps) {
  const { facts, delivered, notLoaded } = texts.webhook;
  const last = lastTried(rows);
  const succeeded = rows.filter(({ state }) => state === 'delivered').length;
  return (
    <>
      <Fact name={facts.deliveries}>
        {delivered(succeeded, rows.length)} {!isComplete && <span className="hint">{texts.common.soFar}</span>}
      </Fact>
      {last && (
        <Fact name={facts.lastAttempt} isWide>
          <TimeText value={last.lastAttemptAt} precision="second" none="" /> <Answer delivery={last} />
        </Fact>
      )}
      {!last && isFailing && !isComplete && <Fact name={facts.lastAttempt}>{notLoaded}</Fact>}
    </>
  );
}

function TimeFact({ name, value }: { readonly name: string; readonly value: string | null }) {
  if (value === null) return null;
  return (
    <Fact name={name}>
      <TimeText value={value} precision="second" />
    </Fact>
  );
}
