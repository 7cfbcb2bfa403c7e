import type { insightEndpoints } from '../../shared/contracts/insight-endpoints.ts';
import { insightExamples } from './insight-schemas.ts';
import type { OperationsTexts, ParameterTexts } from './texts.ts';

const { room, session, participant, connection } = insightExamples;

const paging = {
  cursor: { description: 'The `cursor` of the page before, with the same filters and `sortBy`.' },
  limit: { description: 'How many elements a page has at most.', example: 10 },
  sortBy: { description: 'Order of the list. Elements without a value for the field come last, in both directions.' },
};

const roomFilters = {
  roomNamePrefix: {
    description: 'Only rooms whose name begins so; sorted by `roomName`. Not together with a range of `createdAt`.',
    example: '/team/',
  },
  createdAtFrom: { description: 'Only rooms whose `createdAt` is this time or later; sorted by `createdAt`.' },
  createdAtTo: { description: 'Only rooms whose `createdAt` is before this time; sorted by `createdAt`.' },
} satisfies Readonly<Record<string, ParameterTexts>>;

const sessionFilters = {
  roomName: { description: 'Name of the room.', example: session.roomName },
  roomSessionId: { description: 'Only this session of it.', example: session.roomSessionId },
  startedAtFrom: { description: 'Only sessions that began at this time or later; sorted by `startedAt`.' },
  startedAtTo: { description: 'Only sessions that began before this time; sorted by `startedAt`.' },
} satisfies Readonly<Record<string, ParameterTexts>>;

const roomSessionId = { description: 'Identifier of the room session.', example: session.roomSessionId };

/** What people are told of the endpoints of the insights. */
export const insightOperations: OperationsTexts<typeof insightEndpoints> = {
  listRoomInsights: {
    summary: 'List rooms',
    description:
      "The organization's rooms, each over all its sessions; the last used first, unless asked otherwise. A filter sets the " +
      'order, since an index answers it: `roomNamePrefix` that of `roomName` (ascending, unless asked otherwise), a range of ' +
      '`createdAt` that of `createdAt` (descending, unless asked otherwise). The two cannot be combined.',
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
      'The sessions of one room. A room that nobody knows has none. With a range of `startedAt`, the order is that of ' +
      '`startedAt`; it cannot be combined with `roomSessionId`.',
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
      'The people of a session, or of an external id, or of both: one of `roomSessionId` and `externalId` is required. ' +
      'Recorders and streamers are not listed.',
    errors: [],
    query: {
      roomSessionId: { ...roomSessionId, description: 'Only those of this room session.' },
      externalId: {
        description: 'Only those who joined under this external id, up to 256 bytes of UTF-8.',
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
      'The connections of one participant to one session in the order of joining, each with its network samples. Empty ' +
      'where no join is known. Recorders and streamers are found too. An answer that would be over 6 MB, or have over ' +
      '864 000 elements in a series, is a 400: ask for it in parts, by `from` and `to`.',
    errors: [],
    query: {
      roomSessionId,
      participantId: {
        description: 'Identifier that the platform gave the participant, up to 256 bytes of UTF-8.',
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
        none: { summary: 'A participant that nobody knows', value: [] },
      },
    },
  },
};
