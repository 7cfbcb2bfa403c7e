import { expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { hookUrl, platformNames } from '#shared/contracts/platforms/connection.ts';
import { selfAuthenticatedEndpoints } from '#shared/contracts/self-authenticated-endpoints.ts';
import { mayName } from '#shared/domain/transcriptions/connection-files.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { setups } from '#shared/platforms/setups.ts';

const connectionId = 'a'.repeat(43);
const recordings = { bucket: 'service-recordings', folder: 'acme/' };

test.each(platformNames)('the address of a connection of %s is a path of the API', (platform) => {
  const { path } = selfAuthenticatedEndpoints.receiveHook;

  expect(hookUrl('https://api.example.com', { connectionId, platform })).toBe(
    `https://api.example.com${path.replace('{connectionId}', connectionId).replace('{proxy+}', platform)}`,
  );
});

test.each(platformNames)('the lines for %s have the address, and the secret if this service made it', (platform) => {
  const url = hookUrl('https://api.example.com', { connectionId, platform });
  const isMade = platforms[platform].secretOrigin === 'generated';
  const lines = setups[platform]({
    url,
    settings: {},
    recordings,
    ...(isMade && { secret: 'made-by-us' }),
    keyId: 'key-id',
  });

  expect(lines).toContain(url);
  expect(lines.includes('made-by-us')).toBe(isMade);
  expect(lines).not.toMatch(/undefined|\[object/);
});

test.each(platformNames)(
  'no line for %s gives a secret to a program as an argument, which others can see',
  (platform) => {
    const lines = setups[platform]({
      url: 'https://api.example.com',
      settings: {},
      recordings,
      secret: 'made-by-us',
      keyId: 'key',
    });
    const commands = lines.replaceAll('\\\n', ' ').split(/\n|\|/);

    for (const command of commands) expect(command).not.toMatch(/\bcurl\b.*(made-by-us|_API_KEY)/);
  },
);

test('the lines for Jitsi name a place from which the connection may take recordings', () => {
  for (const settings of [{}, { bucket: 'recordings-of-acme' }]) {
    const lines = setups.jitsi({ url: 'https://api.example.com', settings, recordings, secret: 'made-by-us' });
    const settingOf = (name: string) => new RegExp(`^ *ROOMSCRIBE_${name}='(.*)'$`, 'm').exec(lines)?.[1];
    const location = {
      bucket: settingOf('BUCKET') ?? '',
      key: `${settingOf('PREFIX') ?? 'recordings'}/a/recording.mp4`,
    };
    const connection = { organizationId: OrganizationId.parse('acme'), settings };
    expect([location, mayName(connection, location, { recordings: recordings.bucket, transcripts: 't' })]).toEqual([
      location,
      true,
    ]);
  }
});
