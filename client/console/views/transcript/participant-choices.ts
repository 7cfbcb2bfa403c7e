import type { SessionParticipant } from '../../../types.ts';

/** A participant to choose: `text` tells them apart from others of the same name. */
export type ParticipantChoice = {
  readonly participantId: string;
  readonly displayName: string;
  readonly text: string;
};

type Known = Pick<SessionParticipant, 'participantId' | 'displayName'>;

/** The participants of a session, each once, in the order of their names. */
export function participantChoices(participants: readonly Known[]): readonly ParticipantChoice[] {
  const byId = new Map(participants.map((each) => [each.participantId, each]));
  const counts = new Map<string, number>();
  for (const { displayName } of byId.values()) counts.set(displayName, (counts.get(displayName) ?? 0) + 1);
  return [...byId.values()]
    .map(({ participantId, displayName }) => {
      const isOnly = displayName !== '' && counts.get(displayName) === 1;
      const text = isOnly ? displayName : `${displayName} (${participantId})`.trim();
      return { participantId, displayName: displayName === '' ? participantId : displayName, text };
    })
    .toSorted((one, other) => one.text.localeCompare(other.text, 'en'));
}
