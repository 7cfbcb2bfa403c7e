import type { Webhook } from '../../../types.ts';
import { Fact, Facts } from '../../parts/facts.tsx';
import { NameText } from '../../parts/name-text.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { texts } from '../../texts/en.ts';
import { WebhookBadge } from './state-badge.tsx';

/** How a webhook is, and what it gets. Times that it does not have are left out. */
export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
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

function TimeFact({ name, value }: { readonly name: string; readonly value: string | null }) {
  if (value === null) return null;
  return (
    <Fact name={name}>
      <TimeText value={value} precision="second" />
    </Fact>
  );
}
