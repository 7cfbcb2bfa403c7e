import { afterEach, expect, it, vi } from 'vitest';
import { insightsApi } from '#tools/simulation/insights-api.ts';

afterEach(() => vi.unstubAllGlobals());

/** Stubs fetch with an API that accepts one token and returns an empty list of rooms. */
function stubApi(validToken: () => string) {
  const fetching = vi.fn(async (_url: string, { headers }: { headers: { authorization: string } }) =>
    headers.authorization === `Bearer ${validToken()}`
      ? Response.json({ results: [], cursor: null })
      : Response.json({ code: 'unauthorized' }, { status: 401 }),
  );
  vi.stubGlobal('fetch', fetching);
  return fetching;
}

it('insightsApi requests one new token for all calls if the old token is rejected', async () => {
  let validToken = 'first';
  const fetching = stubApi(() => validToken);
  const getToken = vi.fn(async () => validToken);
  const api = insightsApi('http://api', getToken);
  await api.rooms();
  validToken = 'second';
  expect(await Promise.all([api.rooms(), api.rooms(), api.rooms()])).toEqual([[], [], []]);
  expect(getToken).toHaveBeenCalledTimes(2);
  expect(fetching).toHaveBeenCalledTimes(1 + 3 + 3);
});

it('insightsApi throws if the new token is rejected too', async () => {
  const fetching = stubApi(() => 'never');
  await expect(insightsApi('http://api', async () => 'mine').rooms()).rejects.toThrow('401');
  expect(fetching).toHaveBeenCalledTimes(2);
});
