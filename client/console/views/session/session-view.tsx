import { texts } from '../../texts/en.ts';

/** The view session. */
export function SessionView() {
  return <h1>{texts.session.title}</h1>;
}
