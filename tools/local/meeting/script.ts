import type { Line } from './record.ts';
import type { Voice } from './speak.ts';

/** A person of a meeting, with the file of their microphone. */
export type Person = {
  readonly participantId: string;
  readonly displayName: string;
  /** When their microphone was recorded, in seconds from the start of the recording. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly Line[];
};

/** The length of the meeting. */
export const meetingSeconds = 48;

/** A meeting of three voices. Two of them come later, and two speak at the same time. */
export const meeting: readonly Person[] = [
  person('Ada', 'slt', 0, [
    [1, 'Good morning, and thank you for joining this meeting.'],
    [5, 'Today we will talk about the summer holiday.'],
    [18.5, 'The second question is about money.'],
    [38, 'Yes, I agree with you.'],
    [42, 'Thank you very much, and have a good day.'],
  ]),
  person('Ben', 'kal16', 7.5, [
    [9, 'The first question is how many people want to work on Sunday.'],
    [22, 'We have three hundred dollars for the next month.'],
    [32, 'The weather was beautiful on Monday afternoon.'],
  ]),
  person('Cleo', 'rms', 12.25, [
    [14, 'My answer to that question is very simple.'],
    [27, 'That is not enough money for a new computer.'],
    [36, 'We talked about the weather and about the money.'],
  ]),
];

function person(displayName: string, voice: Voice, from: number, lines: readonly [number, string][]): Person {
  const participantId = displayName.toLowerCase();
  return {
    participantId,
    displayName,
    from,
    to: meetingSeconds,
    lines: lines.map(([at, text]) => ({ voice, at, text })),
  };
}
