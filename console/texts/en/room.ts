import { counted } from './counted.ts';

/** Texts of the view room. */
export const room = {
  title: 'Room',
  transcriptions: 'Transcriptions of this room',
  from: 'Started from',
  to: 'Started until',
  clear: 'All times',
  filename: 'sessions.csv',
  sortHint: 'Within a period, the service sorts by the start only.',
  caption: 'Sessions of the room',
  chart: {
    title: 'Sessions over time',
    label: 'Minutes and people of each session over time. The table below has the same figures.',
    minutes: 'Minutes',
    people: 'People',
    part: (shown: number) => `The chart shows ${shown === 1 ? 'the latest session' : `the latest ${shown} sessions`}.`,
    older: 'Show older sessions',
  },
  facts: {
    sessions: 'Sessions',
    participantMinutes: 'Minutes of participants',
    recorderMinutes: 'Minutes of recorders',
    streamerMinutes: 'Minutes of streamers',
    people: 'Unique people',
    rating: 'Rating',
    first: 'First session',
    last: 'Last session',
    created: 'Created',
    closes: 'Closes',
  },
  headings: {
    startedAt: 'Started',
    endedAt: 'Ended',
    length: 'Length',
    totalParticipantMinutes: 'Minutes',
    totalUniqueParticipants: 'People',
    rating: 'Rating',
    talk: 'Talk time',
    completeness: 'Completeness',
    totalRecorderMinutes: 'Recorder minutes',
    totalStreamerMinutes: 'Streamer minutes',
  },
  minutesBy: {
    totalUniqueRecorders: (minutes: string, count: number) =>
      `${counted(minutes, 'minute')} of ${counted(count, 'recorder')}`,
    totalUniqueStreamers: (minutes: string, count: number) =>
      `${counted(minutes, 'minute')} of ${counted(count, 'streamer')}`,
  },
  unknown: {
    title: 'Nothing is known of this room',
    text: 'No session, no person and no transcription of it is known: none was sent, or all were taken back or deleted. A recording may have arrived: recordings alone are not listed here. Names are compared character by character, and capital letters count.',
    link: 'All rooms',
  },
  untold: {
    title: 'Only transcriptions are known of this room',
    text: 'Nobody told of its sessions when they began or who was there, or all of that was taken back. Who was there, when, and for how long is not known.',
  },
  noName: {
    title: 'The address names no room',
    text: 'Choose a room from the list.',
  },
  noSessions: {
    title: 'There are no sessions yet',
    text: 'A session appears here as soon as your platform tells that it began, or that somebody joined.',
  },
  nothingFound: {
    title: 'No session began in this period',
    text: 'Change the period, or see all times.',
  },
} as const;
