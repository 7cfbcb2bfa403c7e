import { json } from 'node:stream/consumers';
import { toBlock } from '../shared/storage/insights/session-blocks.ts';

/** A block of a session's log as `aws dynamodb query` prints it: with binary values in base64. */
type PrintedBlock = {
  readonly factKey: { readonly S: string };
  readonly bytes: { readonly N: string };
  readonly events: { readonly B: string };
};

// Prints the facts of the blocks that it reads (docs/operations/wrong-figures.md).
const { Items } = (await json(process.stdin)) as { readonly Items: readonly PrintedBlock[] };
for (const { factKey, bytes, events } of Items) {
  const block = toBlock({ factKey: factKey.S, bytes: Number(bytes.N), events: Buffer.from(events.B, 'base64') });
  for (const fact of block.facts) process.stdout.write(`${JSON.stringify(fact)}\n`);
}
