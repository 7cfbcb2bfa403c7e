import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { setups } from '#shared/platforms/setups.ts';
import { findProgram } from '#tools/local/transcribe/media/find-program.ts';

const url = 'https://api.example.com/v1/hooks/connection/daily';
const secret = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

test('the printed command sends the secret and the API key to Daily, and neither is an argument of a program', async () => {
  const received: { headers: IncomingHttpHeaders; path: string | undefined; body: unknown }[] = [];
  const daily = createServer(async (request, response) => {
    received.push({ headers: request.headers, path: request.url, body: JSON.parse(await text(request)) });
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(daily, 'listening');
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-daily-'));
  try {
    const curl = path.join(folder, 'curl');
    const real = findProgram('curl', process.env.PATH ?? '');
    await writeFile(curl, `#!/bin/sh\nprintf '%s\\n' "$@" > "$0.arguments"\nexec "${real}" --silent "$@"\n`);
    await chmod(curl, 0o755);
    const [, command = ''] = setups
      .daily({ url, settings: {}, recordings: { bucket: 'b', folder: 'acme/' }, secret })
      .split(':\n\n');
    const { port } = daily.address() as AddressInfo; // it listens on a port
    const env = { PATH: `${folder}:${process.env.PATH}`, DAILY_API_KEY: 'api-key-of-daily' };
    await promisify(execFile)('sh', ['-c', command.replace('https://api.daily.co', `http://127.0.0.1:${port}`)], {
      env,
    });

    expect(received).toEqual([
      {
        path: '/v1/webhooks',
        headers: expect.objectContaining({
          authorization: 'Bearer api-key-of-daily',
          'content-type': 'application/json',
        }),
        body: expect.objectContaining({ url, hmac: secret, retryType: 'exponential' }),
      },
    ]);
    expect(await readFile(`${curl}.arguments`, 'utf8')).toBe(`--config\n-\nhttp://127.0.0.1:${port}/v1/webhooks\n`);
  } finally {
    daily.close();
    await rm(folder, { recursive: true });
  }
});
