import { NoSuchKey, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, test, vi } from 'vitest';
import { manifestFiles } from '#shared/adapters/platforms/manifest-files.ts';
import type { FileLocation } from '#shared/contracts/events.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import { hooksFolder } from '#shared/domain/transcriptions/transcript-location.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import type { PlatformSessionStore } from '#shared/use-cases/platforms/ports.ts';
import { translateHook } from '#shared/use-cases/platforms/translate-hook.ts';
import { answering } from '../../../support/client/fake-client.ts';

const location = { bucket: 'recordings', key: 'acme/EG_1.json' };
const manifest = { egress_id: 'EG_1', room_id: 'RM_1', publisher_identity: 'ada', track_kind: 'AUDIO' };
const maxBytes = 1024 * 1024;

/** A reader of a bucket that answers so, and what was read and given up. */
function readerOf(answer: () => unknown) {
  const { client, calls } = answering(new S3Client({ region: 'eu-west-1' }), answer);
  return { read: () => manifestFiles(client).read(location), calls };
}

const object = (text: string, more: object = {}) => {
  const destroy = vi.fn();
  const transformToString = vi.fn(async () => text);
  const answer = { Body: { transformToString, destroy }, ContentLength: Buffer.byteLength(text), ...more };
  return { answer, destroy, transformToString };
};

describe('the content of a manifest', () => {
  test('is that of the file', async () => {
    const { read, calls } = readerOf(() => object(JSON.stringify(manifest)).answer);
    expect(await read()).toEqual(manifest);
    expect(calls.map(({ input }) => input)).toEqual([{ Bucket: 'recordings', Key: 'acme/EG_1.json' }]);
  });

  test.each(['', '{', 'no JSON', '{"egress_id":"EG_1"', '\ufeff\u0000'])(
    'is undefined for a file that is no JSON: %j',
    async (text) => expect(await readerOf(() => object(text).answer).read()).toBeUndefined(),
  );

  test('is undefined for a file over 1 MiB, or of unknown length, which is not downloaded', async () => {
    for (const ContentLength of [maxBytes + 1, 5 * 1024 ** 4, undefined]) {
      const { answer, destroy, transformToString } = object('{}', { ContentLength });
      expect(await readerOf(() => answer).read()).toBeUndefined();
      expect([destroy.mock.calls.length, transformToString.mock.calls.length]).toEqual([1, 0]);
    }
    expect(await readerOf(() => object('{}', { ContentLength: maxBytes }).answer).read()).toEqual({});
  });

  test.each([
    ['missing', new NoSuchKey({ message: 'No such key.', $metadata: { httpStatusCode: 404 } })],
    ['forbidden', s3Error('AccessDenied', 403)],
    ['in another region', s3Error('PermanentRedirect', 301)],
    ['encrypted with a key that is gone', s3Error('KMS.NotFoundException', 400)],
  ])('is undefined for a file that is %s', async (_, error) => {
    const { read } = readerOf(() => {
      throw error;
    });
    expect(await read()).toBeUndefined();
  });

  test('is unknown if S3 fails, so that the webhook is tried again', async () => {
    for (const error of [s3Error('SlowDown', 503), Object.assign(new Error('timeout'), { name: 'TimeoutError' })]) {
      const { read } = readerOf(() => {
        throw error;
      });
      await expect(read()).rejects.toBe(error);
    }
  });
});

describe('a webhook of LiveKit', () => {
  const connection: Connection = {
    ...{ connectionId: 'c'.repeat(43), organizationId: OrganizationId.parse('acme'), platform: 'livekit' },
    ...{ settings: {}, createdAt: '2026-01-01T00:00:00.000Z' },
  };
  const key = `${hooksFolder(connection)}2026-01-15T10:30:00.000Z-1.json`;
  const noSessions: PlatformSessionStore = {
    sessionsOf: async () => [],
    remember: async () => undefined,
    settle: async () => {},
    park: async (_, { key: parked }) => ({ key: parked, mark: '1', since: '2026-01-15T10:30:00.000Z' }),
    async *parked() {},
    unpark: async () => {},
  };

  /** Translates an egress of a track whose manifest is there. Returns the publishers of the events, and what was read. */
  async function translated(manifestLocation: string, content: unknown) {
    const read: FileLocation[] = [];
    const publishers: unknown[] = [];
    const egressInfo = {
      ...{
        egressId: 'EG_1',
        roomId: 'RM_1',
        roomName: 'standup',
        status: 'EGRESS_COMPLETE',
        track: { trackId: 'TR_1' },
      },
      manifestLocation,
      fileResults: [
        {
          location: 'https://recordings.s3.eu-west-1.amazonaws.com/acme/one.ogg',
          ...{ startedAt: '1768471210250000000', endedAt: '1768472400000000000' },
        },
      ],
    };
    await translateHook(
      {
        connections: { find: async () => connection },
        hooks: {
          get: async () => ({
            ...{
              connectionId: connection.connectionId,
              organizationId: connection.organizationId,
              platform: 'livekit',
            },
            ...{ receivedAt: '2026-01-15T10:30:00.000Z', digest: 'd'.repeat(64) },
            payload: { event: 'egress_ended', id: 'EV_1', createdAt: '1768472401', egressInfo },
          }),
        },
        sessions: noSessions,
        insights: { find: async () => undefined },
        timeBounds: { daysAhead: 1, daysBack: 365 },
        manifests: {
          read: async (place) => {
            read.push(place);
            return content;
          },
        },
        platforms,
        buckets: { recordings: 'recordings', transcripts: 'transcripts' },
        sendHooks: async () => {},
        sendEvents: async (_, events) => {
          publishers.push(...events.map(({ data }) => (data as { readonly participantId?: string }).participantId));
        },
      },
      { connectionId: connection.connectionId, key },
      () => {},
    );
    return { read, publishers };
  }

  test("names the publisher of a track that the manifest in its organization's folder names", async () => {
    expect(await translated('s3://recordings/acme/EG_1.json', manifest)).toEqual({
      ...{ read: [location], publishers: ['ada'] },
    });
  });

  test.each([
    ["another organization's folder", 's3://recordings/rival/EG_1.json'],
    ['a folder whose name begins like its own', 's3://recordings/acme-2/EG_1.json'],
    ['another bucket', 'https://recordings-of-rival.s3.eu-west-1.amazonaws.com/acme/EG_1.json'],
    ['the transcripts bucket', 's3://transcripts/acme/EG_1.json'],
    ['another host', 'https://rival.example/acme/EG_1.json'],
  ])('reads no manifest from %s', async (_, place) => {
    expect(await translated(place, manifest)).toEqual({ read: [], publishers: [] });
  });

  test.each([
    ['missing', undefined],
    ['of another egress', { ...manifest, egress_id: 'EG_2' }],
    ['of another room', { ...manifest, room_id: 'RM_2' }],
    ['a list', [manifest]],
    ['a text', 'manifest'],
    ['null', null],
    ['with a publisher that is no text', { ...manifest, publisher_identity: { toString: 'ada' } }],
    ['without a publisher', { ...manifest, publisher_identity: '' }],
  ])('has no event of a track, and does not fail, if the manifest is %s', async (_, content) => {
    expect((await translated('s3://recordings/acme/EG_1.json', content)).publishers).toEqual([]);
  });
});

function s3Error(name: string, httpStatusCode: number): S3ServiceException {
  return new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode } });
}
