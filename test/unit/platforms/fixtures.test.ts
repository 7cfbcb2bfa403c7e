import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { RoomEvent } from '#shared/contracts/events.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { type Connection, platformNames } from '#shared/contracts/platforms/connection.ts';
import type { PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { namesOwnFiles } from '#shared/domain/transcriptions/connection-files.ts';
import type { Hook, Translation } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';

// Each file is a payload of a platform, what the translator may know besides, and the translation that is expected.
// UPDATE_FIXTURES=1 writes what the translators return now. Read the difference before you commit it.

type Fixture = {
  readonly settings?: Connection['settings'];
  readonly sessions?: readonly PlatformSession[];
  readonly manifest?: unknown;
  readonly payload: unknown;
  readonly translation: Translation;
};

const root = path.resolve(import.meta.dirname, '../../../shared/platforms');
const buckets = { recordings: 'service-recordings', transcripts: 'service-transcripts' };
const files = globSync('*/fixtures/*.json', { cwd: root }).toSorted();

test.each(files)('%s', (file) => {
  const [name = ''] = file.split(path.sep);
  const platform = platformNames.find((each) => each === name);
  if (platform === undefined) throw new Error(`${file} is in the folder of no platform.`);
  const fixture: Fixture = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const { settings = {}, sessions = [], manifest, payload, translation: expected } = fixture;
  const connection: Connection = {
    ...{ connectionId: 'c'.repeat(43), organizationId: OrganizationId.parse('acme'), platform, settings },
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const hook: Hook = { payload, connection, receivedAt: '2026-01-15T10:30:00.000Z', digest: 'd'.repeat(64) };
  const latestStart = platforms[platform].roomOf?.(hook)?.latestStart ?? '9999';
  const started = sessions.filter(({ startedAt }) => startedAt <= latestStart); // a translator gets no others
  const translation = platforms[platform].translate(hook, { sessions: started, manifest });
  expect(platforms[platform].translate(hook, { sessions, manifest })).toEqual(translation);
  const translated = JSON.parse(JSON.stringify(translation));
  z.parse(platforms[platform].settings, settings); // an operator can set them
  for (const event of translated.events) {
    RoomEvent.parse(event); // a platform's own payloads make events that the queue takes
    expect(namesOwnFiles(connection, event, buckets), 'the connection may name the files of its events').toBe(true);
  }
  if (process.env.UPDATE_FIXTURES)
    writeFileSync(path.join(root, file), `${JSON.stringify({ ...fixture, translation: translated }, null, 2)}\n`);
  else expect(translated).toEqual(expected);
});

test.each(platformNames)('%s has fixtures', (platform) => {
  expect(files.filter((file) => file.startsWith(`${platform}${path.sep}`)).length).toBeGreaterThan(0);
});
