import type { SessionParticipant } from '../../../../client/types.ts';
import { comparableName, shownName } from '../../../../shared/runtime/shown-name.ts';
import { uniqueNames } from '../../../parts/distinct-names.ts';

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
  const unique = uniqueNames(participants);
  return [...byId.values()]
    .map(({ participantId, displayName }) => {
      const name = shownName(displayName);
      const isOnly = name !== '' && unique.has(comparableName(name));
      const text = isOnly ? name : `${name} (${participantId})`.trim();
      return { participantId, displayName: name || participantId, text };
    })
    .toSorted((one, other) => one.text.localeCompare(other.text, 'en'));
}
