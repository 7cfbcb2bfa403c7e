import { expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { mayName, namesOwnFiles } from '#shared/domain/transcriptions/connection-files.ts';

const buckets = { recordings: 'service-recordings', transcripts: 'service-transcripts' };
const acme = { organizationId: OrganizationId.parse('acme'), settings: { bucket: 'recordings-of-acme' } };

test.each([
  ['its own folder of the recordings bucket', 'service-recordings', 'acme/one.mp4', true],
  ["another organization's folder", 'service-recordings', 'rival/one.mp4', false],
  ['a folder whose name begins like its own', 'service-recordings', 'acme-2/one.mp4', false],
  ['a file beside the folders', 'service-recordings', 'one.mp4', false],
  ['the bucket of its settings', 'recordings-of-acme', 'any/one.mp4', true],
  ['another bucket', 'recordings-of-rival', 'acme/one.mp4', false],
  ['the transcripts bucket', 'service-transcripts', 'acme/one.mp4', false],
])('a webhook of a connection and %s', (_, bucket, key, isAllowed) => {
  const location = { bucket, key };
  expect(mayName(acme, location, buckets)).toBe(isAllowed);
  expect(namesOwnFiles(acme, { data: { location } }, buckets)).toBe(isAllowed);
  const own = { location: { bucket: 'recordings-of-acme', key: 'own.ogg' } };
  expect(namesOwnFiles(acme, { data: { tracks: [own, { location }] } }, buckets)).toBe(isAllowed);
});

test('the settings of a connection cannot name a bucket of the service', () => {
  for (const bucket of Object.values(buckets)) {
    const connection = { ...acme, settings: { bucket } };
    expect(mayName(connection, { bucket, key: 'rival/one.mp4' }, buckets)).toBe(false);
  }
});

test('an event without files names none', () => {
  expect(namesOwnFiles(acme, { data: { roomName: '/standup' } }, buckets)).toBe(true);
});
