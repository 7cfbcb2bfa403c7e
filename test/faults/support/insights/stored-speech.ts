import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { sessionSpeech } from '#shared/storage/insights/session-speech.ts';
import { valueDifference } from '#tools/simulation/difference.ts';
import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';
import { dynamodb } from '../../../support/machine.ts';

type Spoke = EventOf<'room.client.spoke'>;
/** When each participant spoke, in milliseconds since 1970, without overlaps and in the order of time. */
type Speech = Readonly<Record<string, readonly (readonly [from: number, to: number])[]>>;
type Spoken = { readonly participantId: string; readonly from: number; readonly to: number };

/** What is wrong with the stored speech of these sessions: it must be the union of what the events say, in whatever order they arrived. */
export async function problemsOfSpeech(
  { insightFacts }: Readonly<Record<'insightFacts', string>>,
  organizationId: string,
  events: readonly PlatformEvent[],
): Promise<string[]> {
  const { spansOf } = sessionSpeech(DynamoDBDocumentClient.from(dynamodb), insightFacts);
  const spoke = events.filter((event): event is Spoke => event.type === 'room.client.spoke');
  const bySession = Map.groupBy(spoke, ({ data }) => data.roomSessionId.toLowerCase());
  const problems: string[] = [];
  for (const [roomSessionId, ofSession] of bySession) {
    const stored = await spansOf({ organizationId, roomSessionId } as SessionId);
    const difference = valueDifference(unionOf(ofSession.flatMap(spokenIn)), unionOf(stored ?? []));
    if (difference !== undefined) problems.push(`the speech of ${roomSessionId}: ${difference}`);
  }
  return problems;
}

function spokenIn({ data: { participantId, intervals } }: Spoke): Spoken[] {
  return intervals.map(({ from, to }) => ({ participantId, from: Date.parse(from), to: Date.parse(to) }));
}

/** Shares no code with the service. */
function unionOf(all: readonly Spoken[]): Speech {
  const byParticipant = Object.entries(Object.groupBy(all, ({ participantId }) => participantId));
  const unions = byParticipant.map(([participantId, spans = []]) => {
    const union: [number, number][] = [];
    for (const { from, to } of spans.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
      const last = union.at(-1);
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else union.push([from, to]);
    }
    return [participantId, union] as const;
  });
  return Object.fromEntries(unions.toSorted());
}
