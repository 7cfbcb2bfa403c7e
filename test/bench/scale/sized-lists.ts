import { openProgress } from '#tools/shared/progress-bar.ts';
import type { CapacityMeter } from '../../support/storage/capacity-meter.ts';
import { median } from '../quantiles.ts';
import type { Finding } from '../report.ts';

/** The elements of a page in these measurements. */
export const pageSize = 10;
/** How far a deep page is from the start of its list. */
export const depth = 0.99;
/** How often each page is measured. */
export const rounds = 150;

const warmUpRounds = 5;
const maxSizeRatio = 1.2;
const maxDepthRatio = 1.1;
const sizes = ['small', 'large'] as const;
const places = ['first', 'deep'] as const;

/** The small or the large of two lists that are alike. */
export type Size = (typeof sizes)[number];
type Place = (typeof places)[number];

/** Two lists that differ in their lengths, each in several orders. */
export type SizedLists = {
  /** What the lists have, such as `rooms`. */
  readonly elements: string;
  readonly counts: Readonly<Record<Size, number>>;
  readonly orders: readonly string[];
  readonly read: (
    size: Size,
    order: string,
    cursor: string | undefined,
  ) => Promise<{ readonly results: readonly unknown[] }>;
  /** The cursor of a page at 99 % depth. */
  readonly deepCursor: (size: Size, order: string) => Promise<string>;
};

type Page = {
  readonly order: string;
  readonly size: Size;
  readonly place: Place;
  readonly read: () => Promise<void>;
  readonly milliseconds: number[];
  readonly units: Set<number>;
};

/** The measured pages of two lists. */
export type MeasuredLists = { readonly lists: SizedLists; readonly pages: readonly Page[] };

/** Reads the first and a deep page of both lists in every order, each once in every round, so that other load affects all alike. */
export async function measureLists(meter: CapacityMeter, lists: SizedLists): Promise<MeasuredLists> {
  const pages = await pagesOf(lists);
  const progress = openProgress(process.stderr);
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const page of round % 2 === 0 ? pages : pages.toReversed()) {
      const startedAt = performance.now();
      const { reads } = await meter.measure(page.read);
      if (round >= 0) page.milliseconds.push(performance.now() - startedAt);
      page.units.add(reads);
    }
    progress.show(`Reading pages of ${lists.elements} in turns`, Math.max(0, round + 1), rounds);
  }
  progress.end();
  return { lists, pages };
}

async function pagesOf({ elements, orders, read, deepCursor }: SizedLists): Promise<Page[]> {
  const pages: Page[] = [];
  for (const order of orders)
    for (const size of sizes)
      for (const place of places) {
        const cursor = place === 'deep' ? await deepCursor(size, order) : undefined;
        const readWhole = async () => {
          const { results } = await read(size, order, cursor);
          if (results.length !== pageSize) throw new Error(`A page of ${elements} has ${results.length} elements.`);
        };
        pages.push({ order, size, place, read: readWhole, milliseconds: [], units: new Set() });
      }
  return pages;
}

/** The findings about the lists, with the number of the goal that they belong to. */
export function listFindings({ lists, pages }: MeasuredLists, number: number | undefined): Finding[] {
  const { elements, orders, counts } = lists;
  const ratiosOf = (over: readonly [Size, Place], under: readonly [Size, Place]) =>
    orders.map((order) => p50(pages, order, ...over) / p50(pages, order, ...under));
  const finding = (what: string, ratios: readonly number[], limit: number): Finding => ({
    ...(number !== undefined && { number }),
    goal: `p50 of ${what}: at most ${limit}`,
    figure: Math.max(...ratios).toFixed(2),
    spread: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} over ${ratios.length} orders`,
    isMet: Math.max(...ratios) <= limit,
  });
  const [small, large] = [spaced(counts.small), spaced(counts.large)];
  const bySize = `${large} ${elements} relative to ${small}`;
  const byDepth = ratiosOf(['large', 'deep'], ['large', 'first']);
  const deeper = `a page at 99 % depth relative to the first page, ${large} ${elements}`;
  return [
    finding(`the first page, ${bySize}`, ratiosOf(['large', 'first'], ['small', 'first']), maxSizeRatio),
    finding(`a page at 99 % depth, ${bySize}`, ratiosOf(['large', 'deep'], ['small', 'deep']), maxSizeRatio),
    finding(deeper, byDepth, maxDepthRatio),
  ];
}

/** The read units of every kind of page, which are the same. */
export function sameUnits({ lists, pages }: MeasuredLists, number: number | undefined): Finding {
  const units = [...new Set(pages.flatMap((page) => [...page.units]))].toSorted((one, other) => one - other);
  return {
    ...(number !== undefined && { number }),
    goal: `every page of ${pageSize} ${lists.elements} consumes the same read units`,
    figure: units.join(', '),
    spread: `${pages.length} kinds of pages`,
    isMet: units.length === 1,
  };
}

/** The medians of all pages in one paragraph. */
export function mediansOf({ lists, pages }: MeasuredLists): string {
  const { elements, orders, counts } = lists;
  const medians = orders.map((order) => {
    const each = sizes.flatMap((size) => places.map((place) => p50(pages, order, size, place).toFixed(2)));
    return `\`${order}\` ${each.join(' / ')}`;
  });
  const what = `first and deep page of ${spaced(counts.small)} ${elements}, first and deep page of ${spaced(counts.large)}`;
  return `Medians in ms: ${medians.join('; ')} (${what}).`;
}

function p50(pages: readonly Page[], order: string, size: Size, place: Place): number {
  const page = pages.find((each) => each.order === order && each.size === size && each.place === place);
  return median(page?.milliseconds ?? []);
}

/** A number with spaces between thousands. */
export function spaced(count: number): string {
  return count.toLocaleString('en').replaceAll(',', ' ');
}
