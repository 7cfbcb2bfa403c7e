import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { newConnectionId } from '#operations/connections/new-connection-id.ts';
import { hookFiles } from '#shared/adapters/platforms/hook-files.ts';
import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { joinsOfOneSession, newGuest, newSession, platformOf } from '../../support/insights/session-events.ts';
import { startReceivers } from '../webhooks/webhook-receivers.ts';
import type { Service } from './fairness-service.ts';

/** Does one thing, and resolves when its effect is visible. */
export type Probe = () => Promise<void>;

/** How one kind of work is measured: what a quiet organization waits for, and what another one floods the queue with. */
export type Contest = {
  readonly name: string;
  readonly queue: 'roomEvents' | 'networkSamples' | 'platformHooks' | 'bulkDelete';
  /** How many probes wait at once, and how often each asks. */
  readonly pace: { readonly atOnce: number; readonly pollMs: number };
  /** A lag beside the flood may be this long, or three times that alone. */
  readonly enoughMs: number;
  readonly prepare: (organizationId: string) => Promise<Probe>;
  readonly flood: () => Promise<void>;
  /** What the flood has left to do, if that is not in the queue. */
  readonly backlog?: () => Promise<number>;
  readonly close?: () => Promise<void>;
};

export const noisy = 'noisy';
/** Sizes of the floods. */
export const sizes = {
  oneSession: 15_000,
  sessions: 1_500,
  manySessions: 20_000,
  bulkDeletes: 4,
  idsOfBulkDelete: 10_000,
};

/** Room events wait for a full batch, so many probes wait at once. */
const patient = { pace: { atOnce: 5, pollMs: 100 }, enoughMs: 5_000 };
const quick = { pace: { atOnce: 1, pollMs: 15 }, enoughMs: 250 };

const startsOf = ({ send, until }: Service) => ({
  ...patient,
  queue: 'roomEvents' as const,
  prepare: async (organizationId: string) => {
    const session = newSession(`/room-${randomUUID().slice(0, 8)}`);
    return async () => {
      await send(platformOf(organizationId, Date.now).started(session));
      await untilListed(until, organizationId, session);
    };
  },
});

function untilListed(until: Service['until'], organizationId: string, session: ReturnType<typeof newSession>) {
  const path = `${insightEndpoints.listRoomSessionInsights.path}?${new URLSearchParams(session)}`;
  return until(patient.pace.pollMs, organizationId, path, (_, { results = [] }) => results.length > 0);
}

const joinsOfSessions = (count: number) => {
  const { joined } = platformOf(noisy, Date.now);
  return Array.from({ length: count }, (_, index) => joined(newSession(`/room-${index}`), newGuest()));
};

const joinsOfOne = (service: Service): Contest => ({
  name: 'joins of one session',
  ...startsOf(service),
  flood: () => service.send(...joinsOfOneSession(noisy, sizes.oneSession)),
});

const joinsOf =
  (count: number) =>
  (service: Service): Contest => ({
    name: `${count} joins of ${count} sessions`,
    ...startsOf(service),
    flood: () => service.send(...joinsOfSessions(count)),
  });

function samples(service: Service): Contest {
  const { send, sendTo, until } = service;
  const sampled = (organizationId: string, roomSessionId: string, participantId: string) =>
    platformOf(organizationId, Date.now).sampled({
      ...{ roomSessionId, participantId, startedAt: new Date(Date.now() - 60_000).toISOString(), sampleRateMs: 10_000 },
      ...{ packetLossSend: [0.125], packetLossRecv: [0], bitrateSend: [50], bitrateRecv: [60] },
    });
  return {
    name: 'network samples',
    queue: 'networkSamples',
    ...{ ...patient, pace: { atOnce: 1, pollMs: 25 } },
    prepare: async (organizationId) => {
      const [session, guest] = [newSession('/daily'), newGuest()];
      await send(platformOf(organizationId, Date.now).joined(session, guest));
      await untilListed(until, organizationId, session);
      const { roomSessionId } = session;
      const path = `${insightEndpoints.getSessionNetwork.path}?${new URLSearchParams({ roomSessionId })}`;
      return async () => {
        await sendTo('networkSamples', [sampled(organizationId, roomSessionId, guest.participantId)]);
        await until(25, organizationId, path, (_, body) => JSON.stringify(body).includes('0.125'));
      };
    },
    flood: () =>
      sendTo(
        'networkSamples',
        Array.from({ length: 10 * sizes.sessions }, () => sampled(noisy, randomUUID(), randomUUID())),
      ),
  };
}

function webhooksOfPlatforms({ endpoints, sendTo, until }: Service): Contest {
  const s3 = new S3Client({ ...clientSettings(endpoints.s3Url), forcePathStyle: true });
  const hooks = hookFiles(s3, String(endpoints.buckets.transcripts));
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(clientSettings(endpoints.dynamodbUrl)));
  const connections = new Map<string, Promise<string>>();
  const connect = async (organizationId: string) => {
    const connectionId = newConnectionId();
    const facts = { connectionId, organizationId: OrganizationId.parse(organizationId), platform: 'livekit' as const };
    await connectionRepository(documents, String(endpoints.tables.connections)).put({
      ...{ ...facts, settings: {}, createdAt: new Date().toISOString() },
    });
    return connectionId;
  };
  /** Stores a webhook as the API does, and returns the message that asks for its translation. */
  const hookOf = async (organizationId: string, roomName: string) => {
    const known = connections.get(organizationId) ?? connect(organizationId);
    connections.set(organizationId, known);
    const connectionId = await known;
    const createdAt = Math.floor(Date.now() / 1000);
    const room = { sid: `RM_${randomUUID()}`, name: roomName, creationTime: createdAt };
    const payload = { event: 'room_started', room, id: `EV_${randomUUID()}`, createdAt };
    const owner = { organizationId: OrganizationId.parse(organizationId), connectionId, platform: 'livekit' as const };
    const stored = { ...owner, receivedAt: new Date().toISOString(), digest: randomUUID(), payload };
    return { organizationId, connectionId, key: await hooks.put(stored, randomUUID()) };
  };
  return {
    name: 'webhooks of a platform',
    queue: 'platformHooks',
    ...patient,
    prepare: async (organizationId) => {
      const roomName = `room-${randomUUID().slice(0, 8)}`;
      const message = await hookOf(organizationId, roomName);
      const path = `${insightEndpoints.listRoomSessionInsights.path}?${new URLSearchParams({ roomName: `/${roomName}` })}`;
      return async () => {
        await sendTo('platformHooks', [message]);
        await until(patient.pace.pollMs, organizationId, path, (_, { results = [] }) => results.length > 0);
      };
    },
    flood: async () => {
      const messages: Awaited<ReturnType<typeof hookOf>>[] = [];
      const rooms = Array.from({ length: sizes.sessions }, (_, index) => `room-${index}`);
      await inParallel(rooms, 20, async (room) => void messages.push(await hookOf(noisy, room)));
      await sendTo('platformHooks', messages);
    },
  };
}

function notices(service: Service): Contest {
  const receivers = startReceivers();
  const subscribed = new Map<string, Promise<unknown>>();
  const subscribe = async (organizationId: string) => {
    const { urlOf, breakOnly } = await receivers;
    breakOnly(new Map([[noisy, 'answers after 9 s']]));
    await service.call(organizationId, 'POST', '/v1/webhooks', {
      url: urlOf(organizationId),
      types: ['room.session.started'],
    });
  };
  return {
    name: 'notices',
    ...startsOf(service),
    prepare: async (organizationId) => {
      const known = subscribed.get(organizationId) ?? subscribe(organizationId);
      subscribed.set(organizationId, known);
      await known;
      const session = newSession(`/room-${randomUUID().slice(0, 8)}`);
      return async () => {
        await service.send(platformOf(organizationId, Date.now).started(session));
        const { receipts } = await receivers;
        const isTold = () => receipts.some(({ notice }) => JSON.stringify(notice.data).includes(session.roomSessionId));
        await service.untilTrue(patient.pace.pollMs, async () => isTold());
      };
    },
    flood: async () => {
      await subscribe(noisy);
      await service.send(...joinsOfSessions(sizes.sessions));
    },
    backlog: async () =>
      sizes.sessions - (await receivers).receipts.filter(({ receiver }) => receiver === noisy).length,
    close: async () => (await receivers).close(),
  };
}

function bulkDeletes({ send, until, bulkDelete }: Service): Contest {
  return {
    name: 'bulk deletes',
    queue: 'bulkDelete',
    ...quick,
    prepare: async (organizationId) => {
      const transcriptionId = randomUUID();
      const path = `${transcriptionEndpoints.listTranscriptions.path}/${transcriptionId}`;
      await send(liveTranscription(organizationId, transcriptionId));
      await until(patient.pace.pollMs, organizationId, path, (status) => status === 200); // by an event
      return async () => {
        await bulkDelete(organizationId, [transcriptionId]);
        await until(quick.pace.pollMs, organizationId, path, (status) => status === 404);
      };
    },
    flood: async () => {
      for (let request = 0; request < sizes.bulkDeletes; request++) {
        await bulkDelete(
          noisy,
          Array.from({ length: sizes.idsOfBulkDelete }, () => randomUUID()),
        );
      }
    },
  };
}

function liveTranscription(organizationId: string, transcriptionId: string) {
  const [startDate, endDate] = ['2026-03-01T09:00:00.000Z', '2026-03-01T09:10:00.000Z'];
  return {
    id: randomUUID(),
    type: 'transcription.finished',
    organizationId,
    createdAt: endDate,
    data: {
      ...newSession('/daily'),
      transcriptionId,
      startDate,
      endDate,
      durationInSeconds: 600,
      storageType: 'SELF_HOSTED',
    },
  };
}

/** Every kind of work of which one organization can have a backlog. */
export const contests: readonly ((service: Service) => Contest)[] = [
  joinsOfOne,
  joinsOf(sizes.sessions),
  joinsOf(sizes.manySessions),
  samples,
  webhooksOfPlatforms,
  notices,
  bulkDeletes,
];
