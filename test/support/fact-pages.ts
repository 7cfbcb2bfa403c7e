import { marshall } from '@aws-sdk/util-dynamodb';
import type { SessionFact } from '#shared/contracts/session-events.ts';
import { eventKey } from '#shared/storage/insights/keys.ts';
import { later } from './session-facts.ts';

/** DynamoDB returns at most this much in a page. */
export const pageBytes = 1024 * 1024;
const placeholder = '@index';

/** A text of this length that ends with the number of its fact. */
export function numbered(length: number, character = 'x'): string {
  return character.repeat(length - placeholder.length) + placeholder;
}

type PageInput = { readonly Limit?: number; readonly ExclusiveStartKey?: { readonly factKey: { readonly S: string } } };

/** Facts that a stand-in for DynamoDB stores. `page` is the text of an answer. */
export type FactPages = ReturnType<typeof factPages>;

/** The same fact many times, a second apart, each with its number in its numbered texts. */
export function factPages(fact: SessionFact, count: number) {
  const item = { ...eventKey(fact), ...fact, createdAt: '@time' };
  const template = JSON.stringify(marshall(item, { removeUndefinedValues: true }));
  const itemBytes = Buffer.byteLength(template);
  const itemAt = (index: number) =>
    template
      .replaceAll(placeholder, String(index).padStart(placeholder.length, '0'))
      .replaceAll('@time', later('09:00', index * 1000));
  const texts = new Map<string, string>();
  const textOf = (first: number, end: number) => {
    const items = Array.from({ length: end - first }, (_, index) => itemAt(first + index));
    const next = marshall({ factOwner: 'o', factKey: String(end) });
    return `{"Items":[${items}]${end < count ? `,"LastEvaluatedKey":${JSON.stringify(next)}` : ''}}`;
  };
  return {
    itemBytes,
    page({ Limit = count, ExclusiveStartKey }: PageInput) {
      const first = Number(ExclusiveStartKey?.factKey.S ?? 0);
      const end = Math.min(count, first + Math.min(Limit, Math.floor(pageBytes / itemBytes)));
      const text = texts.get(`${first} ${end}`) ?? textOf(first, end);
      texts.set(`${first} ${end}`, text);
      return text;
    },
  };
}
