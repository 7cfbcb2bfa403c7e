import { afterEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../../../console/sign-in/config.ts';
import { fakePage, json, pageUrl } from './fake-page.ts';

afterEach(() => vi.unstubAllGlobals());

/** An answer of this type. */
const answer = (status: number, type: string) => new Response('<x/>', { status, headers: { 'content-type': type } });

test.each([
  ['a bucket without the file', answer(403, 'application/xml'), 'no_config'],
  ['a server without the file', answer(404, 'text/html'), 'no_config'],
  ['a file of another kind', json(200, {}), 'no_config'],
  ['the login page of a network', answer(200, 'text/html'), 'not_ours'],
  ['a proxy that refuses', answer(403, 'text/html; charset=utf-8'), 'not_ours'],
])('tells %s from others', async (_, given, code) => {
  fakePage({ [`${pageUrl}config.json`]: () => given });

  await expect(loadConfig('/')).rejects.toMatchObject({ code });
});
