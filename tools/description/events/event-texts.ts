import type * as z from 'zod';
import type { RoomEvent } from '#shared/contracts/events.ts';
import type { MeasuredEvent } from '#shared/contracts/insights/network-samples.ts';
import { limits } from '#shared/domain/insights/session/session-limits.ts';

type PlatformEvent = z.input<typeof RoomEvent> | z.input<typeof MeasuredEvent>;
/** The types of events that a platform sends. */
export type EventType = PlatformEvent['type'];
type EventOf<Type extends EventType> = Extract<PlatformEvent, { readonly type: Type }>;
type Envelope = Omit<PlatformEvent, 'data'>;

/** The texts of an event type and of each field of its data. */
export type EventTexts<Type extends EventType = EventType> = {
  readonly title: string;
  readonly summary: string;
  readonly data: Readonly<Record<keyof EventOf<Type>['data'], string>>;
  readonly example: EventOf<Type>;
};

/** The bounds are settings of the deployment. */
const nearArrival =
  'Refused if it is more than a day after or a year before the event was sent, unless the operator set other bounds.';

/** The texts of the fields that all events have. */
export const envelopeTexts: Readonly<Record<keyof Envelope | 'data', string>> = {
  id: 'Chosen by the platform. A repeated delivery of an event has the same id.',
  version: "Version of the event's format. Only version 1 exists; it is also the default.",
  type: 'Type of the event.',
  organizationId: 'Organization that the event belongs to.',
  createdAt: `When the event happened, not when it was sent. ${nearArrival}`,
  inferred:
    'True if the event is a guess of an adapter or an operator, and not the word of the platform. Insights then say so.',
  reason: 'Why the event was inferred, such as `idle`.',
  data: 'What happened.',
};

const session = {
  roomName: 'Name of the room.',
  roomSessionId: 'Identifier of the room session.',
};
const counted = {
  ...session,
  roomSessionId:
    `Identifier of the room session. At most ${limits.rooms} rooms can use one, and at most ${limits.eventsWithOneId} of its ` +
    'events can have one `id`. Refused for a session that is too large, or whose events expire.',
};
const client = {
  ...counted,
  participantId: 'Identifier of the participant. It is the same for all connections in a session.',
};
const numClients =
  'How many clients the platform counts in the session after the event. Insights compare it with the events that arrived, and say ' +
  'what is missing.';
const connectionId =
  "The platform's id of the connection. A leave with one ends the connection of the join with it, and none that has another id.";
const live = {
  ...session,
  transcriptionId: 'Identifier of the transcription.',
  startDate: `When the transcription starts. ${nearArrival}`,
  storageType: 'Where the files are stored. Derived from `location` if left out.',
};
const ended = {
  ...live,
  endDate: `When it ends, not before \`startDate\`. Default: \`createdAt\`. ${nearArrival}`,
  filename: 'Name of the file. Default: the last part of its key.',
  location:
    "Bucket and key of the file. In the service's transcripts bucket, the key starts with " +
    '`live/<organizationId>/<transcriptionId>/`, with the id in lower case.',
};
const series = '1 to 43 200 values, as many as in the other series. `null` is a missing sample.';

const envelope = (id: string, createdAt: string) => ({ id, organizationId: 'acme', createdAt });
const inSession = { roomName: '/team/standup', roomSessionId: '0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10' };
const inTranscription = {
  ...inSession,
  transcriptionId: 'f1a8c3de-40a7-4a0e-bb52-0d5d0a7e6f21',
  startDate: '2026-03-02T09:00:00Z',
};

const location =
  'Bucket and key of the file. The service needs permission to read the bucket. The first event that names a file makes its ' +
  'organization the owner; an event of another organization that names it is refused, and so is a file of the transcripts bucket.';
const track = {
  participantId: 'Identifier of the participant whose track it is.',
  location,
  startDate: `When the file begins. ${nearArrival}`,
  endDate: `When the file ends, not before \`startDate\`. ${nearArrival}`,
  source: 'What the file recorded: a microphone, or what a shared screen played. Default: `microphone`.',
};

const interval = {
  from: `When the participant began to speak. ${nearArrival}`,
  to: `When the participant stopped, not before \`from\`. ${nearArrival}`,
};

/** The texts of the fields of the elements of a list. */
export const elementTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tracks: track,
  intervals: interval,
};

/** The texts of every event type. A type without texts does not compile. */
export const eventTexts: { readonly [Type in EventType]: EventTexts<Type> } = {
  'room.created': {
    title: 'Room created',
    summary: 'A room was created.',
    data: { roomName: session.roomName, endAt: 'When the room will close, at any distance from now.' },
    example: {
      ...envelope('evt-a001', '2026-03-02T08:00:00Z'),
      type: 'room.created',
      data: { roomName: inSession.roomName, endAt: null },
    },
  },
  'room.session.started': {
    title: 'Session started',
    summary: 'A session of a room began.',
    data: counted,
    example: { ...envelope('evt-a002', '2026-03-02T09:00:00Z'), type: 'room.session.started', data: inSession },
  },
  'room.session.ended': {
    title: 'Session ended',
    summary: 'A session ended, and nobody is connected any more.',
    data: counted,
    example: { ...envelope('evt-a006', '2026-03-02T09:31:12Z'), type: 'room.session.ended', data: inSession },
  },
  'room.client.joined': {
    title: 'Client joined',
    summary: 'A participant, a recorder, a streamer or another service of the platform connected.',
    data: {
      ...client,
      deviceId: 'Identifier of the device.',
      userId: 'Identifier of the user. Without it, `deviceId` identifies the person.',
      roleName:
        'Role in the session. `recorder`, `streamer` and `captioner`, in exactly this spelling, are not participants, and neither are the roles that the operator has set when the event arrives.',
      displayName: 'Displayed name; can be empty.',
      externalId: 'The id that the participant passed when joining.',
      userAgent: 'User agent of the participant.',
      numClients,
      connectionId,
      exclusive:
        'True if the platform allows a participant one connection, so that the join has ended the others, also if their leaves are lost.',
    },
    example: {
      ...envelope('evt-a003', '2026-03-02T10:00:07.250+01:00'),
      version: 1,
      type: 'room.client.joined',
      data: {
        ...inSession,
        participantId: 'p-17',
        deviceId: '7f0e4a52-51a4-4d0c-9a3e-0c6c5b0f7d11',
        userId: 'c1b8a6de-9a53-4e0b-8f0f-6d3f6f4a2b90',
        roleName: 'moderator',
        displayName: 'Ada Kim',
        externalId: 'crm-20817',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
      },
    },
  },
  'room.client.left': {
    title: 'Client left',
    summary: 'A connection ended.',
    data: { ...client, numClients, connectionId },
    example: {
      ...envelope('evt-a004', '2026-03-02T09:30:40Z'),
      type: 'room.client.left',
      data: { ...inSession, participantId: 'p-17' },
    },
  },
  'room.client.rated': {
    title: 'Client rated',
    summary: 'A participant rated the session.',
    data: {
      ...client,
      rating: 'From 1 to 5.',
      tags: 'Topics of the rating.',
      comment: 'Free text of the participant.',
    },
    example: {
      ...envelope('evt-a005', '2026-03-02T09:30:44Z'),
      type: 'room.client.rated',
      data: { ...inSession, participantId: 'p-17', rating: 4, tags: ['audio'], comment: 'Clear most of the time.' },
    },
  },
  'room.client.updated': {
    title: 'Client updated',
    summary: 'The platform tells more of a participant after the join: the device, or how long the participant spoke.',
    data: {
      ...client,
      deviceId: 'The device of the participant. The latest event counts. At least one of the two is required.',
      spokenSeconds:
        "For how long the participant spoke during one connection, by the platform's own count. The seconds of several events are added.",
    },
    example: {
      ...envelope('evt-a006', '2026-03-02T09:31:00Z'),
      type: 'room.client.updated',
      data: { ...inSession, participantId: 'p-17', spokenSeconds: 214.5 },
    },
  },
  'fact.retracted': {
    title: 'Fact retracted',
    summary: 'An event of a session or the creation of a room was wrong, and is taken back.',
    data: {
      eventId: 'The `id` of the wrong event.',
      roomName:
        'Room of the wrong event. Without it, the events with this id of every session with the `roomSessionId` are taken back. ' +
        'At least one of the two is required.',
      roomSessionId: 'Session of the wrong event. Without it, a creation of the room is taken back.',
    },
    example: {
      ...envelope('evt-a007', '2026-03-02T09:40:00Z'),
      type: 'fact.retracted',
      data: { eventId: 'evt-a005', ...inSession },
    },
  },
  'recording.finished': {
    title: 'Recording finished',
    summary: 'A recording is uploaded and can be transcribed: one mixed file, tracks, or both.',
    data: {
      ...session,
      recordingId: 'Identifier of the recording.',
      startDate: `When the recording starts. ${nearArrival}`,
      endDate: `When the recording ends, not before \`startDate\`. ${nearArrival}`,
      filename: 'Name of the file. Required with `location`.',
      location: `${location} At least one of \`location\` and \`tracks\` is required.`,
      tracks:
        'The files of single participants. They are transcribed instead of `location`, and each text then has its speaker. Two tracks ' +
        'with the same `participantId`, `startDate` and `source` are refused. Tracks that other events have reported stay.',
    },
    example: {
      ...envelope('evt-7f31', '2026-03-02T09:31:15Z'),
      type: 'recording.finished',
      data: {
        ...inSession,
        recordingId: '6f0d3e0a-6a2f-4a55-9c0e-2b8c0f7d5c31',
        startDate: '2026-03-02T10:00:00+01:00',
        endDate: '2026-03-02T10:31:12+01:00',
        filename: 'standup.mp4',
        location: { bucket: 'recordings-of-acme', key: 'acme/standup.mp4' },
        tracks: [
          {
            participantId: 'p-17',
            startDate: '2026-03-02T10:00:07.250+01:00',
            endDate: '2026-03-02T10:30:40+01:00',
            source: 'microphone',
            location: { bucket: 'recordings-of-acme', key: 'acme/standup/p-17.ogg' },
          },
        ],
      },
    },
  },
  'recording.track.finished': {
    title: 'Recording track finished',
    summary:
      'One file of one participant is uploaded. Send `recording.finished` after the last one, with or without `tracks`.',
    data: { ...session, recordingId: 'Identifier of the recording that the track belongs to.', ...track },
    example: {
      ...envelope('evt-7f30', '2026-03-02T09:31:14Z'),
      type: 'recording.track.finished',
      data: {
        ...inSession,
        recordingId: '6f0d3e0a-6a2f-4a55-9c0e-2b8c0f7d5c31',
        participantId: 'p-17',
        startDate: '2026-03-02T10:00:07.250+01:00',
        endDate: '2026-03-02T10:30:40+01:00',
        source: 'microphone',
        location: { bucket: 'recordings-of-acme', key: 'acme/standup/p-17.ogg' },
      },
    },
  },
  'transcription.started': {
    title: 'Live transcription started',
    summary: 'A live transcription began.',
    data: live,
    example: { ...envelope('evt-91c0', '2026-03-02T09:00:00Z'), type: 'transcription.started', data: inTranscription },
  },
  'transcription.finished': {
    title: 'Live transcription finished',
    summary: 'A live transcription ended and has a file.',
    data: { ...ended, durationInSeconds: 'Billable time. Default: the time from `startDate` to `endDate`.' },
    example: {
      ...envelope('evt-91c1', '2026-03-02T09:31:20Z'),
      type: 'transcription.finished',
      data: {
        ...inTranscription,
        endDate: '2026-03-02T09:31:12Z',
        durationInSeconds: 1872,
        filename: 'standup.vtt',
        storageType: 'SERVICE_HOSTED',
        location: {
          bucket: 'transcripts-of-roomscribe',
          key: 'live/acme/f1a8c3de-40a7-4a0e-bb52-0d5d0a7e6f21/standup.vtt',
        },
      },
    },
  },
  'transcription.failed': {
    title: 'Live transcription failed',
    summary: 'A live transcription ended without a transcript.',
    data: { ...ended, error: 'The reason: a sentence, or an object with a `message`.' },
    example: {
      ...envelope('evt-91c2', '2026-03-02T09:31:20Z'),
      type: 'transcription.failed',
      data: { ...inTranscription, error: 'The captioning service went away.' },
    },
  },
  'room.client.sampled': {
    title: 'Client sampled',
    summary: 'Consecutive network samples of one participant. One event a minute is a good rate.',
    data: {
      roomSessionId: session.roomSessionId,
      participantId: client.participantId,
      startedAt: `When the first sample was taken. ${nearArrival}`,
      sampleRateMs: 'Milliseconds from one sample to the next. All samples together span at most 24 hours.',
      packetLossSend: series,
      packetLossRecv: series,
      bitrateSend: series,
      bitrateRecv: series,
    },
    example: {
      ...envelope('evt-b001', '2026-03-02T09:00:17.250Z'),
      type: 'room.client.sampled',
      data: {
        roomSessionId: inSession.roomSessionId,
        participantId: 'p-17',
        startedAt: '2026-03-02T09:00:11.250Z',
        sampleRateMs: 2000,
        packetLossSend: [0, 0.4, null],
        packetLossRecv: [0, 0, 0.1],
        bitrateSend: [1_245_000, 1_198_000, 1_210_000],
        bitrateRecv: [1_845_000, 1_790_000, 1_802_000],
      },
    },
  },
  'room.client.spoke': {
    title: 'Client spoke',
    summary:
      "When one participant spoke, by the platform's detection of active speakers. One event a minute from each participant who spoke is " +
      'a good rate.',
    data: {
      roomSessionId: session.roomSessionId,
      participantId: client.participantId,
      intervals: '1 to 1 000 times, in any order, with milliseconds. Together they span at most 24 hours.',
    },
    example: {
      ...envelope('evt-b002', '2026-03-02T09:01:11.250Z'),
      type: 'room.client.spoke',
      data: {
        roomSessionId: inSession.roomSessionId,
        participantId: 'p-17',
        intervals: [
          { from: '2026-03-02T09:00:12.400Z', to: '2026-03-02T09:00:19.850Z' },
          { from: '2026-03-02T09:00:58.100Z', to: '2026-03-02T09:01:11.250Z' },
        ],
      },
    },
  },
};
