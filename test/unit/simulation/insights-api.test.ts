import { afterEach, expect, it, vi } from 'vitest';
import { insightsApi } from '#tools/simulation/insights-api.ts';

afterEach(() => vi.unstubAllGlobals());

/** An API that takes one token, and hands out another list of rooms to nobody. */
function apiThatTakes(good: () => string) {
  const fetching = vi.fn(async (_url: string, { headers }: { headers: { authorization: string } }) =>
    headers.authorization === `Bearer ${good()}`
      ? Response.json({ results: [], cursor: null })
      : Response.json({ code: 'unauthorized' }, { status: 401 }),
  );
  vi.stubGlobal('fetch', fetching);
  return fetching;
}

it('takes a new token where the old one is no longer good, once for all who find that out', async () => {
  let good = 'first';
  const fetching = apiThatTakes(() => good);
  const getToken = vi.fn(async () => good);
  const api = insightsApi('http://api', getToken);
  await api.rooms();
  good = 'second';
  expect(await Promise.all([api.rooms(), api.rooms(), api.rooms()])).toEqual([[], [], []]);
  expect(getToken).toHaveBeenCalledTimes(2);
  expect(fetching).toHaveBeenCalledTimes(1 + 3 + 3);
});

it('gives up where a new token is refused, too', async () => {
  const fetching = apiThatTakes(() => 'never');
  await expect(insightsApi('http://api', async () => 'mine').rooms()).rejects.toThrow('401');
  expect(fetching).toHaveBeenCalledTimes(2);
});
