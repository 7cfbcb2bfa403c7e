import { nextInFairOrder } from './fair-order.ts';
import { fauxqsModule } from './fauxqs-module.ts';

// fauxqs 2.4.1 drops the group of a message on a standard queue and is first-in-first-out. This module makes its standard queues
// keep the group and order messages as SQS's fair queues do, where the order is decided: in the queue.

/** The parts of a message of fauxqs that this module uses. */
type Message = { readonly messageId: string; readonly messageGroupId?: string };
type InFlight = { readonly message: Message };
/** The parts of a queue of fauxqs that this module uses. */
type Queue = {
  messages: Message[];
  readonly inflightMessages: ReadonlyMap<string, InFlight>;
  isFifo(): boolean;
  processTimers(): void;
  dequeue(maxCount: number, ...rest: unknown[]): readonly { readonly ReceiptHandle: string }[];
  deleteMessage(receiptHandle: string): boolean;
};
type CreateMessage = (body: string, attributes?: object, delay?: number, group?: string, ...rest: unknown[]) => Message;
type Module = { readonly SqsQueue: { readonly prototype: Queue }; readonly SqsStore: { createMessage: CreateMessage } };

/** The parts of SQS's send requests that this module uses. */
type SendEntry = { MessageAttributes?: object; readonly MessageGroupId?: string };
type SendRequest = SendEntry & { readonly Entries?: readonly SendEntry[] };

/** The groups of the messages that are being sent. fauxqs passes this object on to the message, and not the group. */
const groupsOf = new WeakMap<object, string>();

/** Remembers the groups of the messages in a request to fauxqs. */
export function keepGroups(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const { Entries } = body as SendRequest;
  for (const entry of Array.isArray(Entries) ? Entries : [body as SendEntry]) {
    if (typeof entry?.MessageGroupId !== 'string') continue;
    entry.MessageAttributes ??= {};
    groupsOf.set(entry.MessageAttributes, entry.MessageGroupId);
  }
}

/** Changes the queues of fauxqs in this process. `keepGroups` must see every request. */
export async function installFairQueues(): Promise<void> {
  const { SqsQueue, SqsStore } = await fauxqsModule<Module>('sqs/sqsStore.js');
  const { createMessage } = SqsStore;
  SqsStore.createMessage = (body, attributes, delay, group, ...rest) =>
    createMessage(body, attributes, delay, group ?? groupsOf.get(attributes ?? {}), ...rest);
  makeFair(SqsQueue.prototype);
}

function makeFair(queue: Queue): void {
  const { dequeue, deleteMessage } = queue;
  const loads = new WeakMap<Queue, ProcessingTimes>();
  const timesOf = (each: Queue) => {
    const known = loads.get(each) ?? new ProcessingTimes();
    loads.set(each, known);
    return known;
  };
  queue.dequeue = function (this: Queue, maxCount, ...rest) {
    if (this.isFifo()) return dequeue.call(this, maxCount, ...rest);
    this.processTimers(); // messages whose visibility timeout or delay is over
    const times = timesOf(this);
    this.messages = fairly(this, maxCount, times);
    const received = dequeue.call(this, maxCount, ...rest);
    for (const { ReceiptHandle } of received) times.begin(this.inflightMessages.get(ReceiptHandle));
    return received;
  };
  queue.deleteMessage = function (this: Queue, receiptHandle) {
    timesOf(this).end(this.inflightMessages.get(receiptHandle));
    return deleteMessage.call(this, receiptHandle);
  };
}

/** The waiting messages, of which the next `count` are those that SQS would choose. */
function fairly({ messages, inflightMessages }: Queue, count: number, times: ProcessingTimes): Message[] {
  const inFlight = new Map<string, number>();
  for (const { message } of inflightMessages.values()) {
    inFlight.set(tenantOf(message), (inFlight.get(tenantOf(message)) ?? 0) + 1);
  }
  const load = { inFlight, processingTime: times.recent(inflightMessages.values()) };
  const positions = nextInFairOrder(messages.map(tenantOf), count, load);
  const isFirstInFirstOut = positions.every((position, index) => position === index);
  if (isFirstInFirstOut) return messages;
  const chosen = new Set(positions.map((position) => messages[position]).filter((message) => message !== undefined));
  return [...chosen, ...messages.filter((message) => !chosen.has(message))];
}

/** A message without a group is a tenant of its own. */
function tenantOf({ messageGroupId, messageId }: Message): string {
  return messageGroupId ?? messageId;
}

/** AWS does not say how long "recent" is. */
const recentMs = 10_000;

/** How long the consumers of one queue have worked for each tenant, from receiving a message to deleting it. */
class ProcessingTimes {
  readonly #begun = new WeakMap<InFlight, number>();
  #ended: { readonly tenant: string; readonly endedAt: number; readonly ms: number }[] = [];

  begin(entry: InFlight | undefined): void {
    if (entry) this.#begun.set(entry, Date.now());
  }

  end(entry: InFlight | undefined): void {
    if (!entry) return;
    const endedAt = Date.now();
    this.#ended.push({ tenant: tenantOf(entry.message), endedAt, ms: endedAt - (this.#begun.get(entry) ?? endedAt) });
  }

  /** The recent times, including those of the messages in flight so far. */
  recent(inFlight: Iterable<InFlight>): Map<string, number> {
    const now = Date.now();
    this.#ended = this.#ended.filter(({ endedAt }) => endedAt > now - recentMs);
    const times = new Map<string, number>();
    const add = (tenant: string, ms: number) => times.set(tenant, (times.get(tenant) ?? 0) + ms);
    for (const { tenant, ms } of this.#ended) add(tenant, ms);
    for (const entry of inFlight)
      add(tenantOf(entry.message), Math.min(recentMs, now - (this.#begun.get(entry) ?? now)));
    return times;
  }
}
