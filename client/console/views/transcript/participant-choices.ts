import { comparableName, shownName } from '../../../../shared/shown-name.ts';
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
  for (const { displayName } of byId.values())
    counts.set(comparableName(displayName), (counts.get(comparableName(displayName)) ?? 0) + 1);
  return [...byId.values()]
    .map(({ participantId, displayName }) => {
      const name = shownName(displayName);
      const isOnly = name !== '' && counts.get(comparableName(name)) === 1;
      const text = isOnly ? name : `${name} (${participantId})`.trim();
      return { participantId, displayName: name || participantId, text };
    })
    .toSorted((one, other) => one.text.localeCompare(other.text, 'en'));
}
