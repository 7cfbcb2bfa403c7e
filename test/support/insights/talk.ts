import type { OfTranscript, TalkFact } from '#shared/domain/insights/talk-facts.ts';
import { at, daily } from './session-facts.ts';

type HeardFact = TalkFact & { readonly data: OfTranscript };

/** What was measured of a participant in a transcription, by default of a recording of the default session's first half hour. */
export function heard(
  participantId: string,
  ms: number | null,
  more: Partial<OfTranscript & { readonly revision: number }> = {},
): HeardFact {
  const { organizationId, roomSessionId, roomName } = daily;
  const origin = {
    source: 'transcript',
    roomName,
    transcriptionId: 'first',
    from: at('09:00'),
    to: at('09:30'),
  } as const;
  const data = { roomSessionId, participantId, ms, revision: 0, ...origin, ...more };
  return { type: 'talk.measured', organizationId, createdAt: at('11:00'), data };
}

/** What was measured of a participant's activity. */
export function activity(participantId: string, ms: number): TalkFact {
  const { organizationId, roomSessionId } = daily;
  const data = { roomSessionId, participantId, ms, revision: ms, source: 'activity' } as const;
  return { type: 'talk.measured', organizationId, createdAt: at('11:00'), data };
}
