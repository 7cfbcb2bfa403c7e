/** One page of a list. `cursor` is null on the last page. */
export type Page<Element> = { readonly results: readonly Element[]; readonly cursor: string | null };

/**
 * A list that fetches pages as it needs them. `for await` iterates over its elements, from the first one (or the query's
 * `cursor`) to the last. If you break out of the loop, it fetches no more.
 */
export class List<Element> implements AsyncIterable<Element> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<Page<Element>>;

  constructor(fetchPage: (cursor: string | undefined) => Promise<Page<Element>>) {
    this.#fetchPage = fetchPage;
  }

  /** Returns only the first page. */
  page(): Promise<Page<Element>> {
    return this.#fetchPage(undefined);
  }

  /** Iterates over the pages. */
  async *pages(): AsyncGenerator<Page<Element>, void, undefined> {
    let page = await this.page();
    yield page;
    while (page.cursor !== null) {
      page = await this.#fetchPage(page.cursor);
      yield page;
    }
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

/** Creates a list. Its pages are the answers to a query, each with the cursor of the previous page. */
export function listOf<Query extends object, Element>(
  query: Query,
  fetchPage: (query: Query) => Promise<Page<Element>>,
): List<Element> {
  return new List(async (cursor) => {
    const page = await fetchPage(cursor === undefined ? query : { ...query, cursor });
    return page.cursor ? page : { ...page, cursor: null }; // a page without a cursor must be the last, or lists would never end
  });
}
