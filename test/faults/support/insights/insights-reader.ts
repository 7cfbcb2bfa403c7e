import { isDeepStrictEqual } from 'node:util';
import {
  ParticipantSessionDetails,
  RoomInsightPage,
  RoomSessionInsightPage,
  SessionParticipantPage,
} from '#shared/contracts/insights/insight-operations.ts';
import { participantSortFields, roomSessionSortFields, roomSortFields } from '#shared/contracts/insights/insights.ts';
import { SessionMinutePage } from '#shared/contracts/insights/session-network.ts';
import type { FaultPlan } from '../process.ts';
import type { World } from '../world.ts';
import { type Insights, insightsOf, type Questions } from './insight-model.ts';

type ListFunction = 'listRoomInsights' | 'listRoomSessionInsights' | 'listParticipants';
type Query = Readonly<Record<string, string>>;
type Page<Element> = { readonly results: readonly Element[]; readonly cursor: string | null };
type PageSchema<Element> = { readonly parse: (body: unknown) => Page<Element> };

/** How to read: the order of each list and the fault plan. */
type Reading = { readonly order?: number; readonly plan?: FaultPlan };

/** So small that larger sessions take several pages. */
const limit = '7';
/** Cycles through all orders, so that many reads use every index. */
let nextOrder = 0;

/** Reads every page of every list and every detail that the questions name from an organization's endpoints. */
export function readInsights(
  world: World,
  organizationId: string,
  questions: Questions,
  reading: Reading = {},
): Promise<Insights> {
  const list = async <Element extends object>(
    name: ListFunction,
    fields: readonly string[],
    schema: PageSchema<Element>,
    query: Query = {},
  ) => {
    const order = (reading.order ?? nextOrder++) % (fields.length * 2);
    const [field = '', direction] = [fields[order >> 1], order % 2 === 0 ? 'asc' : 'desc'];
    const pages = { ...query, sortBy: `${field}:${direction}`, limit };
    const elements = await readAllPages((page) => read(world, organizationId, name, page, reading), schema, pages);
    if (!reading.plan) expectOrder(elements, pages.sortBy); // an index that is behind has an older order
    return elements;
  };
  const participants = (query: Query) => list('listParticipants', participantSortFields, SessionParticipantPage, query);
  return insightsOf(questions, {
    rooms: () => list('listRoomInsights', roomSortFields, RoomInsightPage),
    sessions: (roomName) =>
      list('listRoomSessionInsights', roomSessionSortFields, RoomSessionInsightPage, { roomName }),
    participants: (roomSessionId) => participants({ roomSessionId }),
    externalIds: (externalId) => participants({ externalId }),
    details: async (roomSessionId, participantId) =>
      ParticipantSessionDetails.parse(
        await read(world, organizationId, 'getParticipant', { roomSessionId, participantId }, reading),
      ),
    networks: (roomSessionId) =>
      readAllPages((page) => read(world, organizationId, 'getSessionNetwork', page, reading), SessionMinutePage, {
        roomSessionId,
      }),
  });
}

async function readAllPages<Element extends object>(
  readPage: (query: Query) => Promise<unknown>,
  schema: PageSchema<Element>,
  query: Query,
): Promise<Element[]> {
  const elements: Element[] = [];
  let cursor: string | null = null;
  do {
    const page = schema.parse(await readPage({ ...query, ...(cursor && { cursor }) }));
    elements.push(...page.results);
    cursor = page.cursor;
  } while (cursor !== null);
  return elements;
}

/** Checks the order of a list. Missing values are last in both directions. */
function expectOrder(elements: readonly object[], sortBy: string): void {
  const [field = '', direction] = sortBy.split(':');
  const values = elements.map((element) => (element as Record<string, string | number | null>)[field] ?? null);
  const known = values.filter((value) => value !== null);
  const sorted = known.toSorted((one, other) => (one === other ? 0 : one < other ? -1 : 1));
  if (direction === 'desc') sorted.reverse();
  const missing = Array.from({ length: values.length - known.length }, () => null);
  if (isDeepStrictEqual(values, [...sorted, ...missing])) return;
  throw new Error(`The list is not in the order of ${sortBy}: ${JSON.stringify(values)}`);
}

async function read(
  world: World,
  organizationId: string,
  name: ListFunction | 'getParticipant' | 'getSessionNetwork',
  query: Query,
  { plan }: Reading,
): Promise<unknown> {
  const outcome = await world.api(name, { organizationId, query: String(new URLSearchParams(query)) }, plan);
  if (outcome === 'killed' || outcome.status !== 200) throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  return outcome.body;
}
