import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Connection, type PlatformName, platformNames } from '#shared/contracts/platforms/connection.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';

// A platform's own webhooks with one value replaced by any other: they are translated, or refused with the path of what is wrong.

const root = path.resolve(import.meta.dirname, '../../../shared/platforms');

type Path = readonly (string | number)[];

/** Every place in a value. */
function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...at, name]))];
}

function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === name ? replaced(each, rest, by) : each));
  return { ...(value as object), [name]: replaced((value as Record<string, unknown>)[name], rest, by) };
}

const strange = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(1e300, -1, '', '9'.repeat(30), { toString: 1, valueOf: 1 }, [], null, '\ud800', '\0'),
);

test.each(platformNames)('%s refuses or translates a webhook with any one value replaced', (name: PlatformName) => {
  const { translate, roomOf, manifestOf } = platforms[name];
  const fixtures = globSync(`${name}/fixtures/*.json`, { cwd: root }).map((file) =>
    JSON.parse(readFileSync(path.join(root, file), 'utf8')),
  );
  const connection: Connection = {
    ...{ connectionId: 'c'.repeat(43), organizationId: 'acme' as never, platform: name },
    ...{ settings: {}, createdAt: '2026-01-01T00:00:00.000Z' },
  };
  for (const { payload, sessions = [], manifest } of fixtures) {
    const places = pathsOf(payload);
    fc.assert(
      fc.property(fc.constantFrom(...places), strange, (place, by) => {
        const broken = replaced(payload, place, by);
        const hook = { payload: broken, connection, receivedAt: connection.createdAt, digest: 'd'.repeat(64) };
        const room = roomOf?.(hook);
        manifestOf?.(hook);
        try {
          const { events, waits } = translate(hook, { sessions, manifest });
          expect(Array.isArray(events)).toBe(true);
          if (waits) expect(room, 'a webhook that waits names its room').toBeDefined();
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRequest);
        }
      }),
      { numRuns: 60 },
    );
  }
});
