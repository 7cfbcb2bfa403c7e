/** Defects of the product, each with the text that makes it. The fuzzer of events must find every one. */
export const plantedDefects = [
  {
    name: 'a captioner is a participant',
    file: 'shared/domain/insights/connection-kind.ts',
    from: "const otherRoles = ['captioner'];",
    to: 'const otherRoles: string[] = [];',
  },
  {
    name: 'a leave ends the last connection',
    file: 'shared/domain/insights/session/session-projection.ts',
    from: 'this.open.findIndex((joined) => isIts',
    to: 'this.open.findLastIndex((joined) => isIts',
  },
  {
    name: 'clocks never differ',
    file: 'shared/domain/insights/session/session-projection.ts',
    from: 'delayed.size === 0 && pairing.strayLeaves',
    to: 'delayed.size < 0 && pairing.strayLeaves',
  },
  {
    name: 'detail shows the ratings of the first connection only',
    file: 'shared/domain/insights/connection-events.ts',
    from: 'ratingsOf.get(index) ?? []',
    to: '(index === 0 && ratingsOf.get(index)) || []',
  },
  {
    name: 'lists show no rating',
    file: 'shared/domain/insights/participant-record.ts',
    from: 'rated?.rating ?? null',
    to: 'null',
  },
  {
    name: 'a session has one room',
    file: 'shared/domain/insights/session/session-limits.ts',
    from: 'rooms.size >= limits.rooms',
    to: 'rooms.size >= 1',
  },
  {
    name: 'an id has one event',
    file: 'shared/domain/insights/session/session-limits.ts',
    from: 'eventsWithId(fact.id) >= limits.eventsWithOneId',
    to: 'eventsWithId(fact.id) >= 1',
  },
  {
    name: 'a rating can be 6',
    file: 'shared/contracts/insights/session-events.ts',
    from: 'z.maximum(5,',
    to: 'z.maximum(6,',
  },
  {
    name: 'speech can end before it begins',
    file: 'shared/contracts/insights/speech.ts',
    from: 'to >= from',
    to: "to >= ''",
  },
  {
    name: 'an event can name a track twice',
    file: 'shared/contracts/events.ts',
    from: 'names.indexOf(name) < index',
    to: 'names.indexOf(name) < 0',
  },
  {
    name: 'every recording exceeds the minutes of a day',
    file: 'shared/storage/transcriptions/creation.ts',
    from: 'limit: minutesPerDay * 60',
    to: 'limit: 0',
  },
] as const;
