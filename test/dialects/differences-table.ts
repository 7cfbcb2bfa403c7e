import { type PlatformName, platformNames } from '#shared/contracts/platforms/connection.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { type View, views } from './differences.ts';
import { meetingOf, type PublishedLoss, publishedLosses } from './meeting.ts';

const meeting = meetingOf(1);
const [host, guest] = meeting.stays.map(({ person }) => person);
const lastStay = meeting.stays.at(-1);

const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');

/** Whether a second stay of a person has the same id. */
function isStable(view: View, id: 'participantId' | 'deviceId'): boolean {
  const first = meeting.stays.find(({ number, person }) => number !== 3 && person === lastStay?.person);
  if (!first || !lastStay) throw new Error('Somebody joins again in every meeting.');
  return view.client(meeting, first)[id] === view.client(meeting, lastStay)[id];
}

/** What becomes of a loss, as the page says it. `missing` is what insights say. */
export const effects = {
  none: 'no difference',
  open: 'the session stays open',
  unsaid: 'not said',
  said: (missing: readonly string[]) => `${listOf(missing)} missing`,
  filled: (missing: readonly string[]) => `filled, ${listOf(missing)} missing`,
};

function listOf(missing: readonly string[]): string {
  return missing.map((what) => `\`${what}\``).join(' and ');
}

/** What becomes of each published loss. */
export const lossEffects: Readonly<Record<PublishedLoss, (view: View) => string>> = {
  start: ({ toldAgain }) => (toldAgain.start ? effects.none : effects.said(['start'])),
  join({ toldAgain: { join = [] } }) {
    if (join.includes('by the leave')) return effects.none;
    if (join.includes('as a guess by the leave')) return effects.filled(['participant']);
    return effects.said(['participant']);
  },
  leave: ({ toldAgain }) => (toldAgain.leave ? effects.filled(['leave']) : effects.said(['leave'])),
  'join and leave'({ toldAgain, counts }) {
    if (toldAgain.leave && toldAgain.join?.includes('by the end')) return effects.filled(['leave', 'participant']);
    return counts ? effects.said(['participant']) : effects.unsaid;
  },
  end: () => effects.open,
};

const rows: readonly (readonly [what: string, cell: (view: View) => string])[] = [
  ['a session starts', ({ starts }) => starts],
  ['a session ends', ({ ends }) => ends],
  ['the creation of a room is told', ({ tellsCreation }) => yesOrNo(tellsCreation)],
  ['a rejoin has the same participant', (view) => yesOrNo(isStable(view, 'participantId'))],
  ['a rejoin has the same device', (view) => yesOrNo(isStable(view, 'deviceId'))],
  ['`userId` is told', ({ tellsUser }) => yesOrNo(tellsUser)],
  ['`externalId` is told', ({ tellsExternalId }) => yesOrNo(tellsExternalId)],
  ['the user agent is told', ({ userAgent }) => yesOrNo(userAgent !== undefined)],
  [
    'roles of people',
    ({ roleOf }) => [...new Set([host, guest].map((each) => each && `\`${roleOf(each)}\``))].join(', '),
  ],
  ['a recorder is seen', ({ recorder }) => yesOrNo(recorder !== undefined)],
  ['clients are counted', ({ counts }) => yesOrNo(counts)],
  ['talk time, ratings or devices are told', ({ more }) => yesOrNo(more !== undefined)],
  ...publishedLosses.map((loss) => [`a lost ${loss}`, lossEffects[loss]] as const),
];

/** The differences between platforms and events of our own, as a table in Markdown. It is what the test of dialects holds platforms to. */
export function differencesTable(): string {
  const titles: Readonly<Record<PlatformName, string>> = {
    ...(Object.fromEntries(platformNames.map((name) => [name, platforms[name].title])) as Record<PlatformName, string>),
    jaas: 'JaaS',
  };
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['', ...platformNames.map((name) => titles[name])]),
    line(Array.from({ length: platformNames.length + 1 }, () => '---')),
    ...rows.map(([what, cell]) => line([what, ...platformNames.map((name) => cell(views[name]))])),
  ].join('\n');
}
