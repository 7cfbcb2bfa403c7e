import { texts } from '../../texts/en.ts';

/** The view room. */
export function RoomView() {
  return <h1>{texts.rooms.title}</h1>;
}
