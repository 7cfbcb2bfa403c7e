import { marshall } from '@aws-sdk/util-dynamodb';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { blocksOf, bytesOf } from '#shared/domain/insights/session/session-log.ts';
import { blockKey } from '#shared/storage/insights/keys.ts';
import { toBlockItem } from '#shared/storage/insights/session-blocks.ts';

/** DynamoDB returns at most this much in a page. */
const pageBytes = 1024 * 1024;

type PageInput = { readonly ExclusiveStartKey?: { readonly factKey: { readonly S: string } } };

/** The log of a session that a stand-in for DynamoDB stores. `page` is the text of an answer to a query of all blocks. */
export type LogPages = ReturnType<typeof logPages>;

/** A log of facts that together have this size as JSON. `factAt` makes each of them by its number. */
export function logPages(factAt: (index: number) => SessionFact, bytes: number) {
  const session = { ...factAt(0), ...factAt(0).data };
  const facts: SessionFact[] = [];
  for (let left = bytes - bytesOf([factAt(0)]); left > 0; left -= bytesOf(facts.slice(-1)))
    facts.push(factAt(facts.length));
  const blocks = blocksOf(facts);
  const pages: string[][] = [[]];
  let size = 0;
  for (const [index, some] of blocks.entries()) {
    const key = blockKey(session, index + 1);
    const { events, ...item } = toBlockItem({ facts: some, bytes: bytesOf(some) });
    const binary = Buffer.from(events as Uint8Array);
    const text = JSON.stringify({ ...marshall({ ...key, ...item }), events: { B: binary.toString('base64') } });
    const stored = binary.length;
    if (size + stored > pageBytes) pages.push([]);
    size = size + stored > pageBytes ? stored : size + stored;
    pages.at(-1)?.push(text);
  }
  return {
    version: blocks.length,
    page({ ExclusiveStartKey }: PageInput): string {
      const number = Number(ExclusiveStartKey?.factKey.S ?? 0);
      const next = number + 1 < pages.length && {
        LastEvaluatedKey: marshall({ factOwner: 'o', factKey: String(number + 1) }),
      };
      return `{"Items":[${pages[number] ?? ''}]${next ? `,"LastEvaluatedKey":${JSON.stringify(next.LastEvaluatedKey)}` : ''}}`;
    },
  };
}
