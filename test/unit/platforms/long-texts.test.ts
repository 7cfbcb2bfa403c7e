import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { platformNames } from '#shared/contracts/platforms/connection.ts';

// A pattern that takes the square of its text's length needs hours for 1 MiB. A process can be killed meanwhile, and a pattern cannot.

const program = path.resolve(import.meta.dirname, '../../support/webhooks/long-texts.ts');
const killedAfterMs = 60_000;

test.each(platformNames)(
  '%s takes no long time for a long text in any field',
  (platform) => {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [program, platform], {
      ...{ timeout: killedAfterMs, killSignal: 'SIGKILL' as const, encoding: 'utf8' as const },
    });
    expect([signal, stderr]).toEqual([null, '']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\d\d+ fields\n$/);
  },
  killedAfterMs * 2,
);
