import type { DatabaseSync } from 'node:sqlite';
import { fauxqsModule } from './fauxqs-module.ts';

// fauxqs 2.4.1 hides the messages that a killed process had in flight until their visibility timeout ends. Here a start makes them
// visible, except those whose consumer asked for a pause: the pause is stored like a delay.

type Persistence = {
  readonly db: DatabaseSync;
  loadSqsAndSns(...stores: unknown[]): void;
  updateMessageReady(messageId: string): void;
};
/** The parts of a queue of fauxqs that this module uses. */
type Queue = {
  readonly inflightMessages: ReadonlyMap<string, { readonly message: { readonly messageId: string } }>;
  readonly persistence?: Persistence;
  changeVisibility(receiptHandle: string, seconds: number): void;
};

const forgetReceipts = 'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL';
const setDelay = 'UPDATE sqs_messages SET delay_until = ? WHERE message_id = ?';

/** Makes the queues of fauxqs in this process deliver at a start what was in flight. */
export async function installKeptMessages(): Promise<void> {
  const { PersistenceManager } = await fauxqsModule<{
    readonly PersistenceManager: { readonly prototype: Persistence };
  }>('persistence.js');
  const { SqsQueue } = await fauxqsModule<{ readonly SqsQueue: { readonly prototype: Queue } }>('sqs/sqsStore.js');
  const { loadSqsAndSns } = PersistenceManager.prototype;
  const { changeVisibility } = SqsQueue.prototype;
  PersistenceManager.prototype.loadSqsAndSns = function (this: Persistence, ...stores) {
    this.db.exec(forgetReceipts);
    loadSqsAndSns.apply(this, stores);
  };
  // fauxqs sets a number to NULL here, which its own table refuses. The delay says when the message is ready.
  PersistenceManager.prototype.updateMessageReady = () => {};
  SqsQueue.prototype.changeVisibility = function (this: Queue, receiptHandle, seconds) {
    const { messageId } = this.inflightMessages.get(receiptHandle)?.message ?? {};
    if (messageId) this.persistence?.db.prepare(setDelay).run(Date.now() + seconds * 1000, messageId);
    changeVisibility.call(this, receiptHandle, seconds);
  };
}
