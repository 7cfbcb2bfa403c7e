import * as z from 'zod/mini';
import type { SessionBlock } from '#shared/domain/insights/session/session-log.ts';
import type { StoredFact } from '#shared/domain/insights/talk-facts.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { inflatedText, zlib } from '#shared/runtime/zlib.ts';
import { separator } from '../common/keys.ts';
import type { Item } from '../common/sorted-query.ts';

const Row = z.object({
  factKey: z.string(),
  bytes: z.number(),
  events: z.pipe(z.instanceof(Uint8Array), z.transform(inflatedText)),
});

/** The attributes of a block, besides its key. The facts are compressed JSON: an event takes about a tenth of a kilobyte among others. */
export function toBlockItem({ facts, bytes }: Omit<SessionBlock, 'number'>): Item {
  return { bytes, events: zlib().deflateRawSync(JSON.stringify(facts)) };
}

/**
 * A block from its item, without facts if their JSON contains none of the texts. To parse all blocks of a large session takes most of
 * the time of reading one participant. Throws if the item has another shape, because that is a defect.
 */
export function toBlock(item: Item, texts: readonly string[] = ['']): SessionBlock {
  const { [attributeNames.factKey]: factKey, bytes, events } = Row.parse(item);
  const isNeeded = texts.some((text) => events.includes(text));
  const facts = isNeeded ? (JSON.parse(events) as StoredFact[]) : []; // only checked facts are stored
  return { number: Number(factKey.split(separator)[1]), facts, bytes };
}
