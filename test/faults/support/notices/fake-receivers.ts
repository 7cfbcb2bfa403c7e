import type { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { deliveryFailure, failureOfStatus } from '#shared/domain/webhooks/delivery-failures.ts';
import type { WebhookAnswer, WebhookCall, WebhookCaller } from '#shared/use-cases/webhooks/ports.ts';
import type { FunctionProcess } from '../process.ts';

/** How a receiver answers a call. */
export type Answering = (call: WebhookCall, calls: number) => WebhookAnswer | Promise<WebhookAnswer>;

/** A call that a receiver got, with the id of the notice, and whether it has answered 2xx. */
export type ReceivedCall = WebhookCall & { readonly noticeId: string; readonly at: string; isAccepted: boolean };

/** The answer of a receiver with this status. */
export function answer(status: number, retryAfterSeconds?: number): WebhookAnswer {
  const failure = failureOfStatus(status);
  const seen = {
    succeeded: !failure,
    answerCode: status,
    latencyMs: 5,
    failure: failure ? deliveryFailure(failure) : null,
  };
  return { ...seen, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

/** The answer of a receiver that is down. */
export const refusedConnection: WebhookAnswer = {
  ...{ succeeded: false, answerCode: null, latencyMs: null, failure: deliveryFailure('connection_failed') },
};

/** Receivers of webhooks and an event bus outside of the service. Each receiver answers 200, unless a test says otherwise. */
export class FakeReceivers {
  readonly calls: ReceivedCall[] = [];
  /** The details of the events that were put on the bus. */
  readonly events: { readonly type: string; readonly detail: Readonly<Record<string, unknown>> }[] = [];
  /** The most calls to one address at the same time. */
  mostAtOnce = 0;
  private readonly atOnce = new Map<string, number>();
  private readonly answers = new Map<string, Answering>();
  private readonly now: () => Date;

  constructor(now: () => Date) {
    this.now = now;
  }

  /** Has the receiver at an address answer in this way from now on. */
  let(url: string, answers: Answering | WebhookAnswer): void {
    this.answers.set(url, typeof answers === 'function' ? answers : () => answers);
  }

  /** The ids of the notices that an address got, in order. */
  idsAt(url: string): string[] {
    return this.calls.filter((call) => call.url === url).map(({ noticeId }) => noticeId);
  }

  /** Has every receiver answer 200 again. */
  repairAll(): void {
    this.answers.clear();
  }

  /** Forgets all calls, events and answers. */
  forget(): void {
    this.calls.length = 0;
    this.events.length = 0;
    this.mostAtOnce = 0;
    this.answers.clear();
  }

  /** The caller of one process. The process can die before and after each call. */
  caller(process: FunctionProcess): WebhookCaller {
    return {
      refusalOf: () => undefined,
      call: (call) => process.call('CallWebhook', () => this.receive(call), call),
    };
  }

  /** The client of the event bus of one process. */
  bus(process: FunctionProcess): Pick<EventBridgeClient, 'send'> {
    const send = ({ input }: PutEventsCommand) =>
      process.call(
        'PutEventsCommand',
        async () => {
          for (const { DetailType = '', Detail = '' } of input.Entries ?? [])
            this.events.push({ type: DetailType, detail: JSON.parse(Detail) });
          return { FailedEntryCount: 0, Entries: (input.Entries ?? []).map(() => ({ EventId: 'event' })) };
        },
        input,
      );
    return { send: send as unknown as EventBridgeClient['send'] };
  }

  private async receive(call: WebhookCall): Promise<WebhookAnswer> {
    const atOnce = (this.atOnce.get(call.url) ?? 0) + 1;
    this.atOnce.set(call.url, atOnce);
    this.mostAtOnce = Math.max(this.mostAtOnce, atOnce);
    const received = { ...call, noticeId: String(call.headers['webhook-id']), at: this.now().toISOString() };
    const made: ReceivedCall = { ...received, isAccepted: false };
    this.calls.push(made);
    try {
      await new Promise((done) => setTimeout(done, 2)); // so that calls at the same time are seen
      const answered = await (this.answers.get(call.url)?.(call, this.idsAt(call.url).length) ?? answer(200));
      made.isAccepted = answered.succeeded;
      return answered;
    } finally {
      this.atOnce.set(call.url, (this.atOnce.get(call.url) ?? 1) - 1);
    }
  }
}
