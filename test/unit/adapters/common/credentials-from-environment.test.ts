import { afterEach, expect, test, vi } from 'vitest';
import { defaultProvider } from '#shared/adapters/common/credentials-from-environment.ts';

afterEach(() => vi.unstubAllEnvs());

test('the credentials of the environment are read once', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  const credentials = defaultProvider();
  expect(await credentials()).toMatchObject({ accessKeyId: 'key', secretAccessKey: 'secret' });
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'other');
  expect(await credentials()).toMatchObject({ accessKeyId: 'key' });
});
