import {
  RoomInsightPage,
  RoomSessionInsightPage,
  SessionParticipantPage,
} from '#shared/contracts/insights/insight-operations.ts';
import {
  Completeness,
  ParticipantEvent,
  ParticipantSessionDetail,
  RoomInsight,
  RoomSessionInsight,
  SessionParticipant,
} from '#shared/contracts/insights/insights.ts';
import { UsageDay, UsageDayPage } from '#shared/contracts/insights/usage-days.ts';
import { eventTexts } from '../events/event-texts.ts';
import { described } from '../texts.ts';

/** The example answers contain the values of the example events. */
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
  totalParticipantMinutes: 'Minutes of all participants: each connection is rounded up to a whole minute, then summed.',
  totalRecorderMinutes: 'Minutes of connections with the role `recorder`, computed in the same way.',
  totalStreamerMinutes: 'Minutes of connections with the role `streamer`, computed in the same way.',
  totalUniqueParticipants: 'Number of different people who took part, by `userId` or else by `deviceId`.',
  totalUniqueRecorders: 'Number of different recorders, counted in the same way.',
  totalUniqueStreamers: 'Number of different streamers, counted in the same way.',
};

const ratingTexts = {
  rating: 'Average of all ratings; `null` if nobody rated.',
  totalRatings: 'Number of ratings.',
};

const basisTexts = {
  completeness: 'Whether the figures rest on the word of the platform alone, and what it did not tell.',
  asOf: 'Time of the latest event that the figures include, by the clock of the platform.',
};

const pageTexts = {
  results: 'The elements of this page, in the requested order.',
  cursor: 'Position of the next page: send it as `cursor`. `null` on the last page.',
};

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
  completeness: { state: 'observed', missing: [] },
  asOf: '2026-03-02T09:31:12.000Z',
};

const session: RoomSessionInsight = {
  roomSessionId: joined.roomSessionId,
  roomName: joined.roomName,
  createdAt: room.createdAt,
  endAt: room.endAt,
  startedAt: '2026-03-02T09:00:00.000Z',
  endedAt: '2026-03-02T09:31:12.000Z',
  ...usage,
  rating: 4,
  totalRatings: 1,
  spokenSeconds: 214.5,
  spokenSource: 'platform',
  completeness: room.completeness,
  asOf: room.asOf,
};

/** The session of the examples. */
export const sessionExample = session;

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
  spokenSeconds: session.spokenSeconds,
  spokenSource: 'platform',
  completeness: room.completeness,
  asOf: '2026-03-02T09:31:00.000Z',
};

const joinedEvent: ParticipantEvent = { type: 'joined', timeStamp: participant.joinedAt };

const connection: ParticipantSessionDetail = {
  displayName: participant.displayName,
  userRole: participant.roleName,
  userAgent: joined.userAgent ?? '',
  timeStamp: participant.joinedAt,
  samplesFrom: participant.joinedAt,
  sampleRateMs: 2000,
  samples: {
    packetLossSend: [null, null, 0, 0.4, null],
    packetLossRecv: [null, null, 0, 0, 0.1],
    bitrateSend: [null, null, 1_245_000, 1_198_000, 1_210_000],
    bitrateRecv: [null, null, 1_845_000, 1_790_000, 1_802_000],
  },
  events: [
    joinedEvent,
    { type: 'left', timeStamp: '2026-03-02T09:30:40.000Z' },
    { type: 'rated', timeStamp: '2026-03-02T09:30:52.400Z' },
  ],
};

const usageDay: UsageDay = {
  day: session.startedAt.slice(0, 10),
  roomName: session.roomName,
  sessions: 1,
  participantMinutes: session.totalParticipantMinutes,
  recorderMinutes: session.totalRecorderMinutes,
  streamerMinutes: session.totalStreamerMinutes,
  transcriptions: 1,
  transcribedSeconds: 1872,
};

/** The values that the examples of the operations contain. */
export const insightExamples = { room, session, participant, connection, usageDay };

const spokenSourceTexts = "the `platform`'s own count, the `activity` that it heard, or the turns of a `transcript`";

/** The response schemas of the insight endpoints. */
export const insightResponses = {
  RoomInsight: described(RoomInsight, {
    description: 'A room with the totals of all its sessions.',
    fields: {
      roomName: 'Name of the room; starts with `/`.',
      createdAt: 'When the room was created. Without a `room.created` event, when its first session began.',
      endAt: 'When the room will close; `null` if no event said so.',
      firstSessionStartedAt: 'When the first session began; `null` before the first session.',
      lastSessionStartedAt: 'When the latest session began; `null` before the first session.',
      ...usageTexts,
      totalSessions: 'Number of sessions of the room.',
      ...ratingTexts,
      ...basisTexts,
      asOf: 'Time of the latest event of the room and of its sessions, by the clock of the platform, also of one that was taken back.',
    },
    example: room,
  }),
  RoomInsightPage: described(RoomInsightPage, {
    description: 'One page of a list of rooms.',
    fields: pageTexts,
    example: { results: [room], cursor: null },
  }),
  RoomSessionInsight: described(RoomSessionInsight, {
    description: 'One session of a room, with the times of the room.',
    fields: {
      roomSessionId: 'Identifier of the room session.',
      roomName: 'Name of the room; starts with `/`.',
      createdAt: 'When the room was created. Without a `room.created` event, when its first session began.',
      endAt: 'When the room will close; `null` if no event said so.',
      startedAt: 'When the session began. Without a `room.session.started` event, the time of its earliest event.',
      endedAt: 'When the session ended; `null` while it continues.',
      ...usageTexts,
      ...ratingTexts,
      spokenSeconds: 'For how long all participants spoke; `null` if nothing tells.',
      spokenSource: `What tells so of each participant: ${spokenSourceTexts}; \`mixed\` if not the same for all; \`null\` if nothing does.`,
      ...basisTexts,
    },
    example: session,
  }),
  RoomSessionInsightPage: described(RoomSessionInsightPage, {
    description: "One page of a list of a room's sessions.",
    fields: pageTexts,
    example: { results: [session], cursor: null },
  }),
  SessionParticipant: described(SessionParticipant, {
    description: 'A person in a session. Recorders, streamers and other non-participants are not listed.',
    fields: {
      roomSessionId: 'Identifier of the room session.',
      participantId: "The platform's identifier of the participant in this session.",
      deviceId: 'Identifier of the device at the latest join, or from a later `room.client.updated`.',
      userId: 'Identifier of the user at the latest join; `null` if the join had none.',
      roleName: 'Role of the participant at the latest join.',
      displayName: 'Displayed name at the latest join.',
      joinedAt: 'When the participant first joined.',
      leftAt: 'When the last connection ended; `null` while the participant is there.',
      externalId: 'The id that the participant passed when joining; `null` if there was none.',
      rating: 'Latest rating of the participant; `null` if the participant did not rate.',
      tags: 'Tags of the latest rating.',
      comment: 'Comment of the latest rating; `null` if it had none.',
      spokenSeconds: 'For how long the participant spoke; `null` if nothing tells.',
      spokenSource: `What tells so: ${spokenSourceTexts}; \`null\` if nothing does.`,
      ...basisTexts,
    },
    example: participant,
  }),
  SessionParticipantPage: described(SessionParticipantPage, {
    description: 'One page of a list of participants.',
    fields: pageTexts,
    example: { results: [participant], cursor: null },
  }),
  ParticipantSessionDetail: described(ParticipantSessionDetail, {
    description: 'One connection of a participant to a session, with its events and network samples.',
    fields: {
      displayName: 'Displayed name.',
      userRole: 'Role of the participant.',
      userAgent: 'User agent of the participant; empty if the join had none.',
      timeStamp: 'When the connection began.',
      samplesFrom: 'When the first interval begins: `timeStamp`, unless `from` narrows the answer.',
      sampleRateMs:
        'Length of an interval in milliseconds. If there is no sample, it is the default of the stage (2 000 unless the operator changed it), and the four series are empty.',
      samples: 'Four series of equal length.',
      events:
        'The join, the leave that ended the connection, and the ratings since the join and before the next one, in the order ' +
        'of time. The first connection also has earlier ratings. `from` and `to` do not narrow the events.',
    },
    example: connection,
  }),
  Completeness: described(Completeness, {
    description: 'What figures rest on.',
    fields: {
      state: '`observed`: the platform told everything. `inferred`: something is missing.',
      missing:
        'What the platform did not tell. `start`: the start of a session. `end`: the end of a session that was closed. `leave`: the ' +
        'end of a connection. `participant`: a join, or people whom the platform counted. A session has what its participants miss, ' +
        'and a room what its sessions miss.',
    },
    example: room.completeness,
  }),
  ParticipantEvent: described(ParticipantEvent, {
    description: 'What a participant did.',
    fields: {
      type:
        '`joined`: the connection began. `left`: the participant ended it. A connection without `left` is open, or ended with the ' +
        'session. `rated`: the participant rated the session.',
      timeStamp: 'When it happened. A leave that is dated before its join has the time of the join.',
    },
    example: joinedEvent,
  }),
  NetworkSamples: described(ParticipantSessionDetail.shape.samples, {
    description:
      'Element *i* of each series belongs to the interval that begins *i* × `sampleRateMs` after `samplesFrom`. It is ' +
      '`null` if no sample was taken in the interval. The units are those of the events.',
    fields: {
      packetLossSend: 'Packet loss of the data that the participant sent.',
      packetLossRecv: 'Packet loss of the data that the participant received.',
      bitrateSend: 'Bit rate of the data that the participant sent.',
      bitrateRecv: 'Bit rate of the data that the participant received.',
    },
    example: connection.samples,
  }),
  UsageDay: described(UsageDay, {
    description: 'What was used in a room on a day.',
    fields: {
      day: 'The day, in UTC.',
      roomName: 'Name of the room; starts with `/`.',
      sessions: 'Sessions that began on the day, and have ended.',
      participantMinutes: 'Minutes of the participants of these sessions, as in `totalParticipantMinutes`.',
      recorderMinutes: 'Minutes of their recorders.',
      streamerMinutes: 'Minutes of their streamers.',
      transcriptions: 'Transcriptions that became ready on the day, also live ones.',
      transcribedSeconds:
        'Seconds that Amazon Transcribe bills for these transcriptions: at least 15 for each job, and 0 for a live transcription.',
    },
    example: usageDay,
  }),
  UsageDayPage: described(UsageDayPage, {
    description: 'One page of a list of usage.',
    fields: { ...pageTexts, results: 'The elements of this page, by day and then by room.' },
    example: { results: [usageDay], cursor: null },
  }),
};
