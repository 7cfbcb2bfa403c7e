import { randomUUID } from 'node:crypto';
import { busName, type EventBus } from '#tools/local/events/event-bus.ts';
import { ServiceError } from '../service-error.ts';
import type { Entry } from './event-requests.ts';

/** The account, its buses, and where events go. */
export type PutEventsContext = {
  readonly region: string;
  readonly accountId: string;
  readonly busNames: readonly string[];
  readonly emit: EventBus['emit'];
  /** Receives failures of targets. On AWS, they fail no PutEvents either. */
  readonly onFailure: (error: unknown) => void;
};

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
const largestRequestBytes = 1024 * 1024;
const timeBytes = 14;

/** Puts the entries of a request on their buses, in their order. An entry that fails leaves the others alone. */
export async function putEvents(entries: readonly Entry[], context: PutEventsContext): Promise<object> {
  const bytes = entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
  if (bytes >= largestRequestBytes)
    throw new ServiceError('ValidationException', 'Total size of the entries in the request is over the limit.');
  const results: object[] = [];
  for (const entry of entries) results.push(refusal(entry, context) ?? (await put(entry, context)));
  return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html#eb-putevent-size */
function entryBytes({ Time, Source = '', DetailType = '', Detail = '', Resources }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return (Time === undefined ? 0 : timeBytes) + texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function refusal(entry: Entry, { busNames }: PutEventsContext): object | undefined {
  const refuse = (ErrorCode: string, ErrorMessage: string) => ({ ErrorCode, ErrorMessage });
  for (const name of ['Source', 'DetailType', 'Detail'] as const)
    if (!entry[name])
      return refuse('InvalidArgument', `Parameter ${name} is not valid. Reason: ${name} is a required argument.`);
  if (entry.Source?.startsWith('aws.'))
    return refuse('NotAuthorizedForSourceException', 'Not authorized for the source.');
  if (!isObjectText(entry.Detail ?? '')) return refuse('MalformedDetail', 'Detail is malformed.');
  if (!busNames.includes(busName(entry.EventBusName)))
    return refuse('ResourceNotFoundException', `Event bus ${busName(entry.EventBusName)} does not exist.`);
  return undefined;
}

async function put(entry: Entry, { region, accountId, emit, onFailure }: PutEventsContext): Promise<object> {
  const { Source = '', DetailType = '', Detail = '{}', Resources, EventBusName, Time = Date.now() / 1000 } = entry;
  const id = randomUUID();
  const event = {
    version: '0',
    id,
    'detail-type': DetailType,
    source: Source,
    account: accountId,
    time: new Date(Time * 1000).toISOString().replace(/\.\d+Z$/, 'Z'), // EventBridge times are whole seconds
    region,
    resources: Resources,
    detail: JSON.parse(Detail) as object,
  };
  // The answer waits for the targets, so that an event is not lost if the runner then stops.
  await emit(event, busName(EventBusName)).catch(onFailure);
  return { EventId: id };
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
