import type { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import type { OperationsTexts, ParameterTexts, Respelling } from '../texts.ts';
import { insightExamples } from './insight-schemas.ts';
import { minuteExample } from './session-network-schemas.ts';

const { room, session, participant, connection, usageDay } = insightExamples;

const paging = {
  cursor: { description: 'The `cursor` of the previous page, with the same filters and `sortBy`.' },
  limit: { description: 'Maximum number of elements in a page.', example: 10 },
  sortBy: { description: 'Order of the list. Elements without a value for the field come last, in both directions.' },
};

const roomFilters = {
  'roomName[exact]': {
    description: 'Only the room with this name, in exactly this spelling.',
    example: session.roomName,
  },
  'roomName[startsWith]': {
    description: 'Only rooms whose name begins with this text; case-sensitive.',
    example: '/team/',
  },
  roomNamePrefix: { sameAs: 'roomName[startsWith]' },
  'roomName[contains]': {
    description: 'Only rooms whose name contains this text, up to 512 bytes of UTF-8; case-sensitive.',
    example: 'standup',
  },
  'createdAt[from]': { description: 'Only rooms whose `createdAt` is this time or later.' },
  createdAtFrom: { sameAs: 'createdAt[from]' },
  'createdAt[to]': { description: 'Only rooms whose `createdAt` is before this time.' },
  createdAtTo: { sameAs: 'createdAt[to]' },
} satisfies Readonly<Record<string, ParameterTexts | Respelling>>;

const sessionFilters = {
  roomName: { description: 'Name of the room.', example: session.roomName },
  'roomName[exact]': { sameAs: 'roomName' },
  roomSessionId: { description: 'Only this session of the room.', example: session.roomSessionId },
  startedAtFrom: { description: 'Only sessions that began at this time or later, sorted by `startedAt`.' },
  'startedAt[from]': { sameAs: 'startedAtFrom' },
  startedAtTo: { description: 'Only sessions that began before this time, sorted by `startedAt`.' },
  'startedAt[to]': { sameAs: 'startedAtTo' },
} satisfies Readonly<Record<string, ParameterTexts | Respelling>>;

const roomSessionId = { description: 'Identifier of the room session.', example: session.roomSessionId };

/** The texts of the insight endpoints. */
export const insightOperations: OperationsTexts<typeof insightEndpoints> = {
  listRoomInsights: {
    summary: 'List rooms',
    description:
      "The organization's rooms, each with the totals of all its sessions. By default, the most recently used room comes " +
      'first; with `roomName[startsWith]`, rooms are sorted by `roomName`, and otherwise with a range of `createdAt` by ' +
      '`createdAt`, the newest first. All filters can be combined, with any `sortBy`. An index answers an exact name, a ' +
      'beginning sorted by `roomName`, and a range sorted by `createdAt`. For any other combination a call looks at up to ' +
      '1 000 rooms, so a page can have fewer elements than `limit`, or none, and still have a next page: go on until ' +
      '`cursor` is `null`.',
    errors: [],
    query: { ...roomFilters, ...paging },
    success: {
      description: 'One page.',
      examples: { lastPage: { summary: 'The only page', value: { results: [room], cursor: null } } },
    },
  },
  listRoomSessionInsights: {
    summary: "List a room's sessions",
    description:
      'The sessions of one room. The list is empty for an unknown room. With a range of `startedAt`, the list is sorted by ' +
      '`startedAt`. The range cannot be combined with `roomSessionId`.',
    errors: [],
    query: { ...sessionFilters, ...paging },
    success: {
      description: 'One page.',
      examples: { lastPage: { summary: 'The only page', value: { results: [session], cursor: null } } },
    },
  },
  listParticipants: {
    summary: 'List participants',
    description:
      'The participants of a session, with an external id, or both. `roomSessionId`, `externalId` or both are required. ' +
      'Recorders, streamers and other non-participants are not listed.',
    errors: [],
    query: {
      roomSessionId: { ...roomSessionId, description: 'Only participants of this room session.' },
      externalId: {
        description: 'Only participants who joined with this external id, up to 256 bytes of UTF-8.',
        example: 'crm-20817',
      },
      ...paging,
    },
    success: {
      description: 'One page.',
      examples: { lastPage: { summary: 'The only page', value: { results: [participant], cursor: null } } },
    },
  },
  getParticipant: {
    summary: "Get a participant's connections",
    description:
      'The connections of one participant to one session in the order of joining, each with its events and network samples. The ' +
      'answer is empty if no join is known. Recorders, streamers and other non-participants are found too. An answer over 6 MB, or with over ' +
      '864 000 elements in a series, is a 400: request it in parts with `from` and `to`. They narrow the samples alone. Of more than a ' +
      'thousand connections, names and user agents alone can be too much for every answer.',
    errors: [],
    query: {
      roomSessionId,
      participantId: {
        description: "The platform's identifier of the participant, up to 256 bytes of UTF-8.",
        example: 'p-17',
      },
      from: {
        description: 'Only samples of intervals that begin at this time or later; with `Z` or an offset.',
        example: '2026-03-02T09:00:00Z',
      },
      to: {
        description: 'Only samples of intervals that begin before this time; later than `from`.',
        example: '2026-03-02T09:30:00Z',
      },
    },
    success: {
      description: 'The connections.',
      examples: {
        one: { summary: 'One connection', value: [connection] },
        none: { summary: 'An unknown participant', value: [] },
      },
    },
  },
  getSessionNetwork: {
    summary: "Get a session's network by minute",
    description:
      'The network of a session as figures over all participants, one element for each minute of UTC in which somebody has samples, in ' +
      'the order of time. Each participant counts once in a minute, with the mean of all samples in it. The list is empty for an unknown ' +
      'session. A page has whole minutes only, at most 1 440. It can have fewer, or none, and still have a next page: go on until `cursor` ' +
      'is `null`. A minute for which more than about 60 000 messages must be read is a 400 that asks for a later `from`. A message of an ' +
      'hour counts as about 20 of them.',
    errors: [],
    query: {
      roomSessionId,
      from: {
        description: 'Only minutes that begin at this time or later; with `Z` or an offset.',
        example: '2026-03-02T09:00:00Z',
      },
      to: {
        description: 'Only minutes that begin before this time; later than `from`.',
        example: '2026-03-02T09:30:00Z',
      },
      cursor: { description: 'The `cursor` of the previous page, with the same session, `from` and `to`.' },
    },
    success: {
      description: 'One page.',
      examples: { lastPage: { summary: 'The only page', value: { results: [minuteExample], cursor: null } } },
    },
  },
  listUsage: {
    summary: 'List usage by day and room',
    description:
      'What was used on each day (UTC) in each room: by day, and then by the name of the room. A session counts on the day of its ' +
      '`startedAt`, once it has ended and settled; a later fact changes that day. A transcription counts on the day on which it ' +
      'became ready. A deletion takes nothing back. Rooms and days without any use have no row. By default, the list is that of the ' +
      'current month; it has at most 366 days.',
    errors: [],
    query: {
      from: {
        description: 'The first day, in UTC. By default the first day of the month of `to`.',
        example: '2026-03-01',
      },
      to: { description: 'The last day, in UTC; it is included. By default today.', example: '2026-03-31' },
      roomName: { description: 'Only the room with this name, in exactly this spelling.', example: session.roomName },
      cursor: { description: 'The `cursor` of the previous page, with the same period and `roomName`.' },
      limit: paging.limit,
    },
    success: {
      description: 'One page.',
      examples: { lastPage: { summary: 'The only page', value: { results: [usageDay], cursor: null } } },
    },
  },
};
