import {
  ParticipantSessionDetail,
  RoomInsight,
  RoomInsightPage,
  RoomSessionInsight,
  RoomSessionInsightPage,
  SessionParticipant,
  SessionParticipantPage,
} from '../../shared/contracts/insights.ts';
import { eventTexts } from './event-texts.ts';
import { described } from './texts.ts';

/** The examples of answers are what comes of the examples of events. */
const { data: joined } = eventTexts['room.client.joined'].example;
const { data: rated } = eventTexts['room.client.rated'].example;

const usage = {
  totalParticipantMinutes: 31,
  totalRecorderMinutes: 0,
  totalStreamerMinutes: 0,
  totalUniqueParticipants: 1,
  totalUniqueRecorders: 0,
  totalUniqueStreamers: 0,
};

const usageTexts: Readonly<Record<keyof typeof usage, string>> = {
  totalParticipantMinutes: 'Minutes of all participants: each connection rounded up to a whole minute, then summed.',
  totalRecorderMinutes: 'The same of connections with the role `recorder`.',
  totalStreamerMinutes: 'The same of connections with the role `streamer`.',
  totalUniqueParticipants: 'How many different people took part, by their `userId`, else `deviceId`.',
  totalUniqueRecorders: 'The same of recorders.',
  totalUniqueStreamers: 'The same of streamers.',
};

const ratingTexts = {
  rating: 'Average of all ratings; `null` where nobody rated.',
  totalRatings: 'How many ratings there are.',
};

const pageTexts = {
  results: 'The elements of this page, in the order asked for.',
  cursor: 'Where the next page begins: hand it in as `cursor`. `null` on the last page.',
};

/** A room, as it stands in the examples. */
const room: RoomInsight = {
  roomName: joined.roomName,
  createdAt: '2026-03-02T08:00:00.000Z',
  endAt: null,
  firstSessionStartedAt: '2026-03-02T09:00:00.000Z',
  lastSessionStartedAt: '2026-03-02T09:00:00.000Z',
  ...usage,
  totalSessions: 1,
  rating: 4,
  totalRatings: 1,
};

const session: RoomSessionInsight = {
  roomSessionId: joined.roomSessionId,
  roomName: joined.roomName,
  startedAt: '2026-03-02T09:00:00.000Z',
  endedAt: '2026-03-02T09:31:12.000Z',
  ...usage,
  rating: 4,
  totalRatings: 1,
};

const participant: SessionParticipant = {
  roomSessionId: session.roomSessionId,
  participantId: joined.participantId,
  deviceId: joined.deviceId,
  userId: joined.userId ?? null,
  roleName: joined.roleName,
  displayName: joined.displayName,
  joinedAt: '2026-03-02T09:00:07.250Z',
  leftAt: '2026-03-02T09:30:40.000Z',
  externalId: joined.externalId ?? null,
  rating: rated.rating,
  tags: rated.tags ?? [],
  comment: rated.comment ?? null,
};

const connection: ParticipantSessionDetail = {
  displayName: participant.displayName,
  userRole: participant.roleName,
  userAgent: joined.userAgent ?? null,
  timeStamp: participant.joinedAt,
  samplesFrom: participant.joinedAt,
  sampleRateMs: 2000,
  samples: {
    packetLossSend: [null, null, 0, 0.4, null],
    packetLossRecv: [null, null, 0, 0, 0.1],
    bitrateSend: [null, null, 1_245_000, 1_198_000, 1_210_000],
    bitrateRecv: [null, null, 1_845_000, 1_790_000, 1_802_000],
  },
};

/** What the examples of the operations are made of. */
export const insightExamples = { room, session, participant, connection };

/** What the endpoints of the insights answer with. */
export const insightResponses = {
  RoomInsight: described(RoomInsight, {
    description: 'A room over all its sessions.',
    fields: {
      roomName: 'Name of the room; starts with `/`.',
      createdAt: 'When the room was created; where no event told, when its first session began.',
      endAt: 'When the room will close; `null` where no event told.',
      firstSessionStartedAt: 'When its first session began; `null` before there is one.',
      lastSessionStartedAt: 'When its latest session began; `null` before there is one.',
      ...usageTexts,
      totalSessions: 'How many sessions it had.',
      ...ratingTexts,
    },
    example: room,
  }),
  RoomInsightPage: described(RoomInsightPage, {
    description: 'One page of a list of rooms.',
    fields: pageTexts,
    example: { results: [room], cursor: null },
  }),
  RoomSessionInsight: described(RoomSessionInsight, {
    description: 'One session of a room.',
    fields: {
      roomSessionId: 'Identifier of the room session.',
      roomName: 'Name of the room; starts with `/`.',
      startedAt: 'When the session began; where no event told, the time of its earliest event.',
      endedAt: 'When the session ended; `null` while it lasts.',
      ...usageTexts,
      ...ratingTexts,
    },
    example: session,
  }),
  RoomSessionInsightPage: described(RoomSessionInsightPage, {
    description: "One page of a list of a room's sessions.",
    fields: pageTexts,
    example: { results: [session], cursor: null },
  }),
  SessionParticipant: described(SessionParticipant, {
    description: 'A person in a session. Recorders and streamers are not listed.',
    fields: {
      roomSessionId: 'Identifier of the room session.',
      participantId: 'Identifier that the platform gave the participant in this session.',
      deviceId: 'Identifier of the device, of the latest join.',
      userId: 'Identifier of the user, of the latest join; `null` where it told none.',
      roleName: 'Role of the participant, of the latest join.',
      displayName: 'Name that was shown, of the latest join.',
      joinedAt: 'When the participant joined first.',
      leftAt: 'When the last connection ended; `null` while the participant is there.',
      externalId: 'The id that the participant passed when joining; `null` where none was.',
      rating: 'The latest rating that the participant gave; `null` where there is none.',
      tags: 'Tags of that rating.',
      comment: 'Free text of that rating; `null` where it had none.',
    },
    example: participant,
  }),
  SessionParticipantPage: described(SessionParticipantPage, {
    description: 'One page of a list of participants.',
    fields: pageTexts,
    example: { results: [participant], cursor: null },
  }),
  ParticipantSessionDetail: described(ParticipantSessionDetail, {
    description: 'One connection of a participant to a session, with its network samples.',
    fields: {
      displayName: 'Name that was shown.',
      userRole: 'Role of the participant.',
      userAgent: 'User agent of the participant; `null` where the join told none.',
      timeStamp: 'When the connection began.',
      samplesFrom: "When the first elements' interval begins: `timeStamp`, unless `from` narrows the answer.",
      sampleRateMs: 'Length of an interval in milliseconds; `null` where there is no sample.',
      samples: 'Four series of one length.',
    },
    example: connection,
  }),
  NetworkSamples: described(ParticipantSessionDetail.shape.samples, {
    description:
      'Element *i* of each series is of the interval that begins *i* × `sampleRateMs` after `samplesFrom`; `null` where ' +
      'no sample was taken in it. The units are those of the events.',
    fields: {
      packetLossSend: 'Packet loss of what the participant sent.',
      packetLossRecv: 'Packet loss of what the participant received.',
      bitrateSend: 'Bit rate of what the participant sent.',
      bitrateRecv: 'Bit rate of what the participant received.',
    },
    example: connection.samples,
  }),
};
