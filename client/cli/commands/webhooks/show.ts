import type { CreatedWebhook, Delivery, Replay, Webhook } from '../../../types.ts';
import { details, plain, time } from '../../output/format.ts';
import type { Column } from '../../output/table.ts';

/** The columns of a table of webhooks. */
export const webhookColumns: readonly Column<Webhook>[] = [
  { header: 'WEBHOOK', value: ({ webhookId }) => webhookId },
  { header: 'URL', value: ({ url }) => url, mayBeCut: true },
  { header: 'TYPES', value: typesOf, mayBeCut: true, mayBeLeftOut: true },
  { header: 'STATE', value: stateOf },
];

/** The columns of a table of deliveries. */
export const deliveryColumns: readonly Column<Delivery>[] = [
  { header: 'CREATED', value: ({ createdAt }) => createdAt, mayBeLeftOut: true },
  { header: 'TYPE', value: ({ type }) => type, mayBeCut: true, mayBeLeftOut: true },
  { header: 'NOTICE', value: ({ noticeId }) => noticeId },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'TRIES', value: ({ attempts }) => String(attempts), align: 'right' },
  { header: 'CODE', value: ({ answerCode }) => plain(answerCode), align: 'right' },
  { header: 'NEXT TRY (UTC)', value: ({ nextAttemptAt }) => time(nextAttemptAt) },
  { header: 'FAILURE', value: ({ failureCode }) => plain(failureCode), mayBeLeftOut: true },
];

/** All values of a webhook, one per line. */
export function webhookDetails(webhook: Webhook | CreatedWebhook): string {
  const { failingSince, parkedUntil, previousSecretExpiresAt, replay } = webhook;
  return details([
    ['Webhook', webhook.webhookId],
    ['URL', webhook.url],
    ['Types', typesOf(webhook)],
    ['Description', plain(webhook.description)],
    ['Signature', webhook.signature],
    ['State', stateOf(webhook)],
    ...(failingSince === null ? [] : [['Failing since (UTC)', time(failingSince)] as const]),
    ...(parkedUntil === null ? [] : [['Tried again (UTC)', time(parkedUntil)] as const]),
    ...(previousSecretExpiresAt === null ? [] : [['Old secret until (UTC)', time(previousSecretExpiresAt)] as const]),
    ...(replay === null ? [] : [['Replay', replayText(replay)] as const]),
    ['Created (UTC)', time(webhook.createdAt)],
    ...('secret' in webhook ? [['Secret', webhook.secret] as const] : []),
  ]);
}

/** What a replay delivers, and how far it has come. */
export function replayText({ state, planned, noticeId, from, to }: Replay): string {
  const what = noticeId ?? `${time(from)} to ${time(to)}`;
  return `${state}, ${planned} ${planned === 1 ? 'notice' : 'notices'} planned, of ${what}`;
}

function typesOf({ types }: Webhook): string {
  return types === null ? 'all' : types.join(', ');
}

/** `failing`: the last deliveries have failed, and are tried again. */
function stateOf({ state, disabledBy, failingSince }: Webhook): string {
  if (state === 'disabled') return disabledBy === 'service' ? 'disabled by the service' : state;
  return failingSince === null ? state : 'failing';
}
