/** One page of a list; `cursor` is null on the last. */
export type Page<Element> = { readonly results: readonly Element[]; readonly cursor: string | null };

/**
 * A list that fetches its pages as they are needed. `for await` goes through its elements, from the first (or the
 * query's `cursor`) to the last; breaking off fetches no more.
 */
export class List<Element> implements AsyncIterable<Element> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<Page<Element>>;

  constructor(fetchPage: (cursor: string | undefined) => Promise<Page<Element>>) {
    this.#fetchPage = fetchPage;
  }

  /** The first page alone. */
  page(): Promise<Page<Element>> {
    return this.#fetchPage(undefined);
  }

  /** Page by page. */
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

  /** All of its elements, in the list's order. */
  async toArray(): Promise<Element[]> {
    const elements: Element[] = [];
    for await (const element of this) elements.push(element);
    return elements;
  }
}

/** The list whose pages are the answers to a query, and to the same query with each cursor that they name. */
export function listOf<Query extends object, Element>(
  query: Query,
  fetchPage: (query: Query) => Promise<Page<Element>>,
): List<Element> {
  return new List(async (cursor) => {
    const page = await fetchPage(cursor === undefined ? query : { ...query, cursor });
    return page.cursor ? page : { ...page, cursor: null }; // a page that names no next one is the last, or lists would not end
  });
}
