import { type InfiniteData, QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { ConnectionError, RateLimitedError } from '../../client/errors.ts';
import type { List, Page } from '../../client/list.ts';
import type { RateLimit } from '../../client/rate-limit.ts';
import { Roomscribe } from '../../client/roomscribe.ts';
import { answerMs } from '../sign-in/config.ts';
import type { Session } from '../sign-in/session.ts';

/** The client of the service, and the session of the reader. */
export type Api = {
  readonly client: Roomscribe;
  readonly session: Session;
  readonly points: PointsStore;
};

const Context = createContext<Api | undefined>(undefined);

/** Gives all views the client. */
export const ApiProvider = Context.Provider;

/** The client of the service, and the session of the reader. */
export function useApi(): Api {
  const api = useContext(Context);
  if (!api) throw new Error('No client is provided.');
  return api;
}

/** The points of the latest answer, for those who show them or fetch ahead, and whether a call waits for points. */
export class PointsStore {
  #listeners = new Set<() => void>();
  #latest: RateLimit | undefined;
  #pauseSeconds: number | undefined;

  /** Calls the listener after each answer. Returns the function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The points of the latest answer. Undefined before it. */
  readonly latest = (): RateLimit | undefined => this.#latest;

  /** For how long the latest call waits, because the points of the minute are spent. Undefined if none waits. */
  readonly pauseSeconds = (): number | undefined => this.#pauseSeconds;

  /** Takes the points of an answer. If any are left, no call waits any more. */
  take(points: RateLimit | undefined): void {
    if (points === undefined || points === this.#latest) return;
    this.#latest = points;
    if (points.remaining > 0) this.#pauseSeconds = undefined;
    this.#tell();
  }

  /** Takes that a call waits for points, which it then repeats by itself. */
  wait(milliseconds: number): void {
    this.#pauseSeconds = Math.ceil(milliseconds / 1000);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Whether at least half of the points are left, so that fetching ahead takes nothing from what the reader asks for. */
  get areMany(): boolean {
    const points = this.#latest;
    return points === undefined || Date.now() > points.resetsAt || points.remaining * 2 > points.limit;
  }
}

/** Creates the client of a session. The API has the origin of this page. */
export function createApi(session: Session): Api {
  const points = new PointsStore();
  const client: Roomscribe = new Roomscribe({
    apiUrl: location.origin,
    token: session.token,
    timeoutMs: answerMs,
    maxRetries: 2,
    onRetry: (error, delayMs) => {
      if (error instanceof ConnectionError && error.code === 'timed_out') throw error; // the reader decides whether to wait again
      if (error instanceof RateLimitedError) points.wait(delayMs);
    },
    fetch: async (...request) => {
      const response = await fetch(...request);
      setTimeout(() => points.take(client.rateLimit)); // the client reads the headers of the answer first
      return response;
    },
  });
  return { client, session, points };
}

/** Without a network, calls fail with an error that says so, instead of waiting in silence. */
const networkMode = 'always';

/** Creates the cache of answers. The client has retried what can be retried already. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode, staleTime: 30_000, gcTime: 10 * 60_000, refetchOnWindowFocus: false },
      mutations: { retry: false, networkMode },
    },
  });
}

/** The points of the latest answer. */
export function usePoints(): RateLimit | undefined {
  const { points } = useApi();
  return useSyncExternalStore(points.subscribe, points.latest);
}

/** For how many seconds a call waits for points. Undefined if none waits. */
export function usePause(): number | undefined {
  const { points } = useApi();
  return useSyncExternalStore(points.subscribe, points.pauseSeconds);
}

/** The elements of a list as far as they are fetched, and what a view needs to show the rest. */
export type ListQuery<Element> = {
  readonly rows: readonly Element[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly isComplete: boolean;
  readonly isFetchingMore: boolean;
  readonly fetchMore: () => void;
  readonly retry: () => void;
};

/** Two parts of a view can want the next page of a list at once. It is fetched once. */
const once = { cancelRefetch: false };

/** The largest page of every list. */
export const pageLimit = 100;

/**
 * Fetches a list page by page. `list` gets the cursor of a page. `key` identifies the query in the cache. While many points are left, one page
 * is fetched ahead of what is shown.
 */
export function useListQuery<Element>(
  key: readonly unknown[],
  list: (client: Roomscribe, cursor: string | undefined, signal: AbortSignal) => List<Element>,
  { enabled = true }: { readonly enabled?: boolean } = {},
): ListQuery<Element> {
  const { client, points } = useApi();
  const query = useInfiniteQuery<
    Page<Element>,
    Error,
    InfiniteData<Page<Element>>,
    readonly unknown[],
    string | undefined
  >({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => list(client, pageParam, signal).page(),
    initialPageParam: undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    enabled,
    structuralSharing: false, // it would compare all pages whenever one comes
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const pages = data?.pages.length ?? 0;
  useEffect(() => {
    if (pages === 1 && hasNextPage && points.areMany) void fetchNextPage(once);
  }, [pages, hasNextPage, points, fetchNextPage]);
  const rows = useMemo(() => data?.pages.flatMap(({ results }) => results) ?? [], [data]);
  return {
    rows,
    isLoading: query.isLoading,
    error: query.error,
    isComplete: data !== undefined && !hasNextPage,
    isFetchingMore: isFetchingNextPage,
    fetchMore: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage(once);
    },
    retry: () => void (data ? fetchNextPage() : refetch()),
  };
}
