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
    part: (shown: number) => `The chart shows the latest ${shown} sessions.`,
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
      `${minutes} minutes of ${count === 1 ? 'one recorder' : `${count} recorders`}`,
    totalUniqueStreamers: (minutes: string, count: number) =>
      `${minutes} minutes of ${count === 1 ? 'one streamer' : `${count} streamers`}`,
  },
  unknown: {
    title: 'There is no such room',
    text: 'No event of a room or session with this name has arrived. Names are compared character by character, and capital letters count.',
    link: 'All rooms',
  },
  untold: {
    title: 'Nobody sent events of sessions in this room',
    text: 'Only recordings or live transcriptions of it arrived. Who was there, when, and for how long is not known.',
  },
  noName: {
    title: 'The address names no room',
    text: 'Choose a room from the list.',
  },
  noSessions: {
    title: 'There are no sessions yet',
    text: 'A session appears here as soon as your platform sends the first event of it.',
  },
  nothingFound: {
    title: 'No session began in this period',
    text: 'Change the period, or see all times.',
  },
} as const;
