import { texts } from '../../texts/en.ts';

/** The view rooms. */
export function RoomsView() {
  return <h1>{texts.rooms.title}</h1>;
}
