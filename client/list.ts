import type { RowPage } from './rows.ts';
import type { RowFormat } from './types.ts';

/** One page of a list. `cursor` is null on the last page. */
export type Page<Element> = { readonly results: readonly Element[]; readonly cursor: string | null };

/**
 * A list that fetches pages as it needs them. `for await` iterates over its elements, from the first one (or the query's
 * `cursor`) to the last. If you break out of the loop, it fetches no more.
 */
export class List<Element> implements AsyncIterable<Element> {
  readonly #source: Source<Element>;

  constructor(source: Source<Element>) {
    this.#source = source;
  }

  /** Returns only the first page. */
  page(): Promise<Page<Element>> {
    return this.#source.page(undefined);
  }

  /** Iterates over the pages. */
  pages(): AsyncGenerator<Page<Element>, void, undefined> {
    return everyPage(this.#source.page);
  }

  /** Returns only the first page, as text. */
  rowPage(format: RowFormat): Promise<RowPage> {
    return this.#source.rows(format, undefined);
  }

  /** Iterates over the pages as text. */
  rowPages(format: RowFormat): AsyncGenerator<RowPage, void, undefined> {
    return everyPage((cursor) => this.#source.rows(format, cursor));
  }

  /**
   * Iterates over the text of the list, with a piece for each page. CSV begins with its header line, unless the query has a
   * `cursor`: the text then continues an earlier one.
   */
  async *text(format: RowFormat): AsyncGenerator<string, void, undefined> {
    for await (const { header, rows } of this.rowPages(format)) yield header + rows.join('');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Element, void, undefined> {
    for await (const { results } of this.pages()) yield* results;
  }

  /** Returns all elements, in the order of the list. */
  async toArray(): Promise<Element[]> {
    const elements: Element[] = [];
    for await (const element of this) elements.push(element);
    return elements;
  }
}

/** Fetches one page of a list: the first one, or the one of a cursor. */
type Source<Element> = {
  readonly page: (cursor: string | undefined) => Promise<Page<Element>>;
  readonly rows: (format: RowFormat, cursor: string | undefined) => Promise<RowPage>;
};

async function* everyPage<Each extends { readonly cursor: string | null }>(
  fetchPage: (cursor: string | undefined) => Promise<Each>,
): AsyncGenerator<Each, void, undefined> {
  let page = await fetchPage(undefined);
  yield page;
  while (page.cursor !== null) {
    page = await fetchPage(page.cursor);
    yield page;
  }
}

type Calls<Query, Element> = {
  readonly json: (query: Query) => Promise<Page<Element>>;
  readonly rows: (query: Query, format: RowFormat) => Promise<RowPage>;
};

/** Creates a list. Its pages are the answers to a query, each with the cursor of the previous page. */
export function listOf<Query extends { readonly cursor?: string | undefined }, Element>(
  query: Query,
  calls: Calls<Query, Element>,
): List<Element> {
  const at = (cursor: string | undefined) => (cursor === undefined ? query : { ...query, cursor });
  return new List({
    async page(cursor) {
      const page = await calls.json(at(cursor));
      return page.cursor ? page : { ...page, cursor: null }; // a page without a cursor must be the last, or lists would never end
    },
    async rows(format, cursor) {
      const asked = at(cursor);
      const page = await calls.rows(asked, format);
      return asked.cursor === undefined ? page : { ...page, header: '' };
    },
  });
}
