import type { Page } from 'playwright-core';
import type {
  Delivery,
  ParticipantSessionDetail,
  RoomInsight,
  RoomSessionInsight,
  SessionMinute,
  SessionParticipant,
  TranscriptionDetail,
  UsageDay,
  Webhook,
} from '#client/types.ts';

/** How much is known of what a view shows. `zero` is known, too: nothing happened. */
export const knowledges = ['unknown', 'zero', 'partial', 'whole'] as const;
/** How much is known of what a view shows. */
export type Knowledge = (typeof knowledges)[number];

/** The id of everything. */
export const id = '00000000-0000-4000-8000-000000000001';
/** The name of the room. */
export const roomName = '/team/standup';

/** What the API answers by the path, if so much is known. */
export function answersOf(known: Knowledge): Readonly<Record<string, unknown>> {
  const transcription = { ...wholeTranscription, ...transcriptions[known] };
  const webhook = { ...wholeWebhook, ...webhooks[known] };
  return {
    '/v1/insights/rooms': page({ ...wholeRoom, ...rooms[known] }),
    '/v1/insights/room-sessions': known === 'unknown' ? page() : page({ ...wholeSession, ...sessions[known] }),
    '/v1/insights/participants': page(...people[known].map((each) => ({ ...wholePerson, ...each }))),
    '/v1/insights/participant': [{ ...wholeConnection, samples: samples[known] }],
    '/v1/insights/session-network': page(...networkOf(known)),
    '/v1/insights/usage': page(...usage[known].map((each) => ({ ...wholeUsage, ...each }))),
    '/v1/transcriptions': page(transcription),
    [`/v1/transcriptions/${id}`]: transcription,
    '/v1/file': { ...transcription, turns: known === 'zero' ? [] : [turn] },
    '/v1/webhooks': known === 'unknown' ? page() : page(webhook),
    [`/v1/webhooks/${id}`]: webhook,
    [`/v1/webhooks/${id}/deliveries`]: page(...deliveries[known].map((each) => ({ ...delivered, ...each }))),
  };
}

/** Lets the API of a page give these answers. A path without one is not found. */
export async function giveAnswers(page: Page, answers: Readonly<Record<string, unknown>>): Promise<void> {
  await page.route('**/v1/**', (route) => {
    const { pathname, origin } = new URL(route.request().url());
    const link = { accessLink: `${origin}/v1/file`, expires: Date.now() + 900_000 };
    const json = pathname.endsWith('/access-link') ? link : answers[pathname];
    const missing = { status: 404, json: { code: 'not_found', message: `${pathname} does not exist.` } };
    return route.fulfill(json === undefined ? missing : { json });
  });
}

type Changes<Value> = Readonly<Record<Knowledge, Partial<Value>>>;
type Lists<Value> = Readonly<Record<Knowledge, readonly Partial<Value>[]>>;

const page = <Row>(...results: readonly Row[]) => ({ results, cursor: null });
const at = (time: string) => `2026-03-02T${time}:00.000Z`;
const inferred = { state: 'inferred', missing: ['leave'] } satisfies RoomInsight['completeness'];
const nobody = { totalParticipantMinutes: 0, totalUniqueParticipants: 0 };

const shared = {
  ...{
    roomName,
    createdAt: at('09:00'),
    endAt: null,
    asOf: at('09:03'),
    completeness: { state: 'observed', missing: [] },
  },
  ...{ totalParticipantMinutes: 6, totalRecorderMinutes: 0, totalStreamerMinutes: 0 },
  ...{ totalUniqueParticipants: 2, totalUniqueRecorders: 0, totalUniqueStreamers: 0, rating: 4, totalRatings: 1 },
} satisfies Partial<RoomInsight>;

const wholeRoom: RoomInsight = {
  ...{ ...shared, totalSessions: 1 },
  ...{ firstSessionStartedAt: at('09:00'), lastSessionStartedAt: at('09:00') },
};
const noSession = {
  totalSessions: 0,
  firstSessionStartedAt: null,
  lastSessionStartedAt: null,
  rating: null,
  totalRatings: 0,
};
const rooms: Changes<RoomInsight> = {
  unknown: { ...nobody, ...noSession },
  zero: { ...nobody, rating: null, totalRatings: 0 },
  partial: { completeness: inferred },
  whole: {},
};

const wholeSession: RoomSessionInsight = {
  ...{ ...shared, roomSessionId: id, startedAt: at('09:00'), endedAt: at('09:03') },
  ...{ spokenSeconds: 60, spokenSource: 'platform' },
};
const sessions: Changes<RoomSessionInsight> = {
  unknown: {},
  zero: { ...nobody, spokenSeconds: 0, rating: null, totalRatings: 0 },
  partial: { endedAt: null, completeness: inferred },
  whole: {},
};

const wholePerson: SessionParticipant = {
  ...{ roomSessionId: id, participantId: 'ada', deviceId: 'd', userId: null, roleName: 'guest', displayName: 'Ada' },
  ...{ joinedAt: at('09:00'), leftAt: at('09:03'), externalId: null, rating: 4, tags: [], comment: null },
  ...{ spokenSeconds: 60, spokenSource: 'platform', completeness: shared.completeness, asOf: at('09:03') },
};
const silent = { participantId: 'kim', displayName: 'Kim', rating: null };
const people: Lists<SessionParticipant> = {
  unknown: [],
  zero: [{ spokenSeconds: 0, rating: null }],
  partial: [{ leftAt: null }, { ...silent, spokenSeconds: null, spokenSource: null }],
  whole: [{}, silent],
};

const wholeConnection: Omit<ParticipantSessionDetail, 'samples'> = {
  ...{ displayName: 'Ada', userRole: 'guest', userAgent: '', timeStamp: at('09:00'), samplesFrom: at('09:00') },
  sampleRateMs: 60_000,
  events: [
    { type: 'joined', timeStamp: at('09:00') },
    { type: 'left', timeStamp: at('09:03') },
  ],
};
const seriesOf = (loss: readonly (number | null)[], bitrate: readonly (number | null)[]) => ({
  ...{ packetLossSend: [...loss], packetLossRecv: [...loss], bitrateSend: [...bitrate], bitrateRecv: [...bitrate] },
});
const samples: Readonly<Record<Knowledge, ParticipantSessionDetail['samples']>> = {
  unknown: seriesOf([null, null, null], [null, null, null]),
  zero: seriesOf([0, 0, 0], [0, 0, 0]),
  partial: seriesOf([9, null, null], [null, null, null]),
  whole: seriesOf([9, 1, 1], [1e6, 1e6, 1e6]),
};

/** Only of the whole there are figures of more people than one. */
function networkOf(known: Knowledge): SessionMinute[] {
  const [loss, bitrate] = [
    { median: 1, p95: 2, max: 3 },
    { median: 1e6, p5: 1e5 },
  ];
  const one = { minute: at('09:00'), participants: known === 'whole' ? 2 : 1, samples: 2, badParticipants: 0 };
  const figures = { packetLossSend: loss, packetLossRecv: loss, bitrateSend: bitrate, bitrateRecv: bitrate };
  return known === 'unknown' ? [] : [{ ...one, ...figures }];
}

const wholeUsage: UsageDay = {
  ...{ day: '2026-03-02', roomName, sessions: 1, participantMinutes: 6, recorderMinutes: 0, streamerMinutes: 0 },
  ...{ transcriptions: 1, transcribedSeconds: 90 },
};
const usage: Lists<UsageDay> = {
  unknown: [],
  zero: [{ participantMinutes: 0, transcriptions: 0, transcribedSeconds: 0 }],
  partial: [{}],
  whole: [{}],
};

const wholeTranscription: TranscriptionDetail = {
  ...{ transcriptionId: id, roomSessionId: id, roomName, createdAt: at('09:04'), startDate: at('09:00') },
  ...{ endDate: at('09:03'), state: 'ready', durationInSeconds: 180, type: 'RECORDING_TRANSCRIPTION', filename: null },
  ...{ storageType: 'SERVICE_HOSTED', language: 'en-US' },
  speakers: [
    {
      ...{ speaker: 'Speaker 1', displayName: 'Ada', participantId: null, source: 'recognizer', confidence: null },
      ...{ spokenSeconds: 2, turns: 1, share: 1, longestTurnSeconds: 2, overlapSeconds: 0 },
    },
  ],
};
const transcriptions: Changes<TranscriptionDetail> = {
  unknown: { state: 'in_progress', endDate: null, durationInSeconds: 0 },
  zero: { durationInSeconds: 0, speakers: [], language: null },
  partial: { missing: [{ participantId: null, from: 60, to: 120, code: 'media_unreadable' }] },
  whole: {},
};
const turn = { speaker: 'Speaker 1', startSeconds: 0, endSeconds: 2, text: 'Good morning.', words: [] };

const past = new Date(Date.now() - 180_000).toISOString();
const soon = new Date(Date.now() + 900_000).toISOString();
const wholeWebhook: Webhook = {
  ...{
    webhookId: id,
    url: 'https://example.com/',
    types: null,
    description: '',
    signature: 'standard',
    state: 'enabled',
  },
  ...{ disabledBy: null, createdAt: at('08:00'), failingSince: null, parkedUntil: null },
  ...{ previousSecretExpiresAt: null, replay: null },
};
const webhooks: Changes<Webhook> = {
  unknown: {},
  zero: { failingSince: past, parkedUntil: soon },
  partial: { failingSince: past },
  whole: {},
};

const delivered: Delivery = {
  ...{ noticeId: 'n', type: 'transcription.finished', createdAt: at('09:05'), state: 'delivered', attempts: 1 },
  ...{
    lastAttemptAt: at('09:06'),
    answerCode: 204,
    latencyMs: 0,
    failureCode: null,
    nextAttemptAt: null,
    replayed: false,
  },
} as Delivery;
const waiting = {
  state: 'waiting',
  attempts: 0,
  lastAttemptAt: null,
  answerCode: null,
  latencyMs: null,
  nextAttemptAt: past,
} as const;
const refused = {
  state: 'failed',
  answerCode: 503,
  failureCode: 'answer_not_2xx',
  lastAttemptAt: at('09:07'),
} as const;
const deliveries: Lists<Delivery> = {
  unknown: [waiting],
  zero: [refused, waiting],
  partial: [refused, {}],
  whole: [{}],
};
