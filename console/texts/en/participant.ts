import { counted } from './counted.ts';

/** Texts of the view participant. */
export const participant = {
  title: 'Participant',
  toRooms: 'All rooms',
  incomplete: {
    title: 'No participant is chosen',
    text: 'The address is incomplete. Open a session, and choose one of its people.',
  },
  notThere: {
    title: 'Nothing is known of this participant',
    text: 'The address may be incomplete, or all joins of the participant were taken back or have expired.',
  },
  noSamples: {
    title: 'Nobody sent network samples of this person',
    text: 'So it is not known how good the network was, or whether a minute was bad. The times of joining and leaving are below. A platform sends samples as events room.client.sampled, to the queue of network samples: docs/api.md says how, under “room.client.sampled”.',
  },
  loading: (percent: number) => `Loading samples: ${percent} %`,
  loadingSession: (percent: number) => `Loading the session by the minute: ${percent} %`,
  facts: { system: 'Device', systemOf: (system: string, kind: string) => `${system}, ${kind}` },
  charts: 'Network over time',
  chartOf: (title: string) => `Chart: ${title}. The figures are in the table “Figures by the minute” below.`,
  pointer:
    'Drag over a chart to zoom in. Drag with Shift, or turn the wheel with Shift, to move. Turn it with Ctrl to zoom.',
  units: 'Packet loss is shown in percent, the unit in which platforms send it.',
  unitsOfSession:
    'Figures of the session are of its senders: those who sent samples of the series in the minute, even if it is one person.',
  series: {
    packetLossSend: 'Packet loss, sent',
    packetLossRecv: 'Packet loss, received',
    bitrateSend: 'Bitrate, sent',
    bitrateRecv: 'Bitrate, received',
  },
  axis: { loss: '%', bitrate: 'kbit/s' },
  noSeries: (series: string) => `${series}: nobody sent samples.`,
  onePerson: 'No two people have samples of the same minute, so there are no figures of the session.',
  legend: 'Lines',
  lines: {
    median: 'Session: median of senders',
    worst: 'Session: worst 5 % of senders',
    p95: 'Session: 95th percentile of senders',
    p5: 'Session: 5th percentile of senders',
    lane: (lane: number) => `(connection ${lane} at once)`,
  },
  marks: { joined: 'joined', left: 'left', rated: 'rated' },
  bad: {
    title: 'Bad minutes',
    legend: 'bad minute',
    definition: (limit: number) => `A minute is bad if its mean packet loss, sent or received, is ${limit} % or more.`,
    none: (of: number) =>
      of === 1 ? 'The only measured minute was not bad.' : `None of the ${of} measured minutes was bad.`,
    summary: (minutes: number, of: number) =>
      of === 1
        ? 'The only measured minute was bad.'
        : `${minutes} of ${of} measured minutes ${minutes === 1 ? 'was' : 'were'} bad.`,
    unmeasured: (minutes: number) =>
      `Of ${counted(minutes, 'more minute')} of the stay, nobody sent packet loss: they may have been bad.`,
    measured: 'Every whole minute of the stay was measured.',
    noLoss: 'Nobody sent packet loss of this person, so it is not known whether a minute was bad.',
    soFar: 'More is being loaded.',
    notMeasured: 'not measured',
    range: (from: string, to: string) => `${from}–${to}`,
    minutes: (count: number) => counted(count, 'minute'),
    loss: (sent: string, received: string) => `loss sent ${sent}, received ${received}`,
    showAll: (count: number) => `Show all ${count}`,
  },
  others: {
    title: 'Compare with others',
    add: 'Add a person',
    find: 'Find a person of the session',
    full: 'Five others are the most. Remove one to add another.',
    remove: (name: string) => `Remove ${name}`,
    noMatch: 'Nobody matches.',
    more: (count: number) =>
      `There ${count === 1 ? 'is 1 more match' : `are ${count} more matches`}. Type more of the name.`,
  },
  connections: {
    title: 'Connections',
    caption: 'Connections of the participant',
    number: 'No.',
    joined: 'Joined',
    left: 'Left',
    role: 'Role',
    browser: 'Browser',
    system: 'System',
    kind: 'Device',
    rated: 'Rated',
    agent: 'User agent as sent',
    showAgent: 'Show the user agents as sent',
  },
  figures: {
    title: 'Figures by the minute',
    filename: (id: string) => `participant-${id}.csv`,
    hint: 'What the charts show of the chosen range of time, as means of each minute.',
    caption: 'Network by the minute',
    minute: 'Minute',
    bad: 'Bad',
    isBad: 'bad',
    isGood: 'not bad',
    none: 'no samples',
    ofOne: 'of one person',
    people: 'Session: people with samples',
    badPeople: 'Session: people with a bad minute',
    empty: 'Nobody sent samples of this range of time.',
    of: (series: string, who: string) => `${series}: ${who}`,
  },
} as const;
