import type { Random } from './random.ts';

/** A person who joins the sessions of a room. */
export type Person = {
  readonly deviceId: string;
  readonly userId: string | undefined;
  readonly roleName: string;
  readonly displayName: string;
  readonly externalId: string | undefined;
  readonly userAgent: string | undefined;
};

const givenNames = [
  ...['Ada', 'Bruno', 'Chloé', 'Dmitri', 'Esra', 'Femi', 'Grace', 'Hiroshi', 'Ines', 'Jamal', 'Katarína', 'Lukas'],
  ...['Mei', 'Nadia', 'Olu', 'Priya', 'Quinn', 'Rosa', 'Søren', 'Tomás', 'Uma', 'Viktor', 'Wanjiru', '美咲'],
] as [string, ...string[]];
const familyNames = [
  ...['Abebe', 'Brandt', 'Castillo', 'Dubois', 'Eriksen', 'Fischer', 'García', 'Haddad', 'Ivanova', 'Jensen', 'Kim'],
  ...["O'Neill", 'Novák', 'Okafor', 'Petrov', 'Rossi', 'Sato', 'Tanaka', 'Umar', 'Varga', 'Weber', 'Young', '🎸'],
] as [string, ...string[]];

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const userAgents = [
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome}`,
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
] as const;

/** Creates the people of a room. The first is the moderator. Some have no user id, some no external id. */
export function createPeople(random: Random, count: number): Person[] {
  return Array.from({ length: count }, (_, index) => ({
    deviceId: random.uuid(),
    userId: index % 5 === 4 ? undefined : random.uuid(),
    roleName: index === 0 ? 'moderator' : random.pick(['participant', 'participant', 'viewer']),
    displayName: `${random.pick(givenNames)} ${random.pick(familyNames)}`,
    externalId: index % 4 === 3 ? undefined : `crm-${random.uuid().slice(0, 13)}`,
    userAgent: index % 7 === 6 ? undefined : random.pick(userAgents),
  }));
}
