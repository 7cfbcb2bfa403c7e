import { texts } from '../../texts/en.ts';

/** The view participant. */
export function ParticipantView() {
  return <h1>{texts.participant.title}</h1>;
}
