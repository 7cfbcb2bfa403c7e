import { Figure } from '../../../parts/charts/figure.tsx';
import { NameText } from '../../../parts/name-text.tsx';
import { Fact, Facts } from '../../../parts/tables/facts.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { deviceOf } from '../../../parts/user-agent.ts';
import { texts } from '../../../texts/en.ts';
import { type Connection, isoOf } from './network/samples.ts';

/** When a participant was there, in which role, and with which browsers and devices. */
export function ParticipantFacts({ connections }: { readonly connections: readonly Connection[] }) {
  const { facts, connections: words } = texts.participant;
  const last = connections.at(-1);
  const devices = connections.map(({ userAgent }) => deviceOf(userAgent));
  return (
    <Facts>
      <Told name={words.browser} values={devices.map(({ browser }) => browser)} />
      <Told name={facts.system} values={devices.map(({ system, kind }) => deviceText(system, kind))} />
      <Told name={words.role} values={connections.map(({ userRole }) => userRole)} />
      <Fact name={words.joined}>
        <TimeText value={isoOf(connections[0]?.joinedAt)} none={texts.common.none.told} precision="second" />
      </Fact>
      <Fact name={words.left}>
        <TimeText value={isoOf(last?.leftAt)} none={texts.common.none.told} precision="second" />
      </Fact>
    </Facts>
  );
}

type ToldProps = { readonly name: string; readonly values: readonly (string | undefined)[] };

/** What connections have told, each value once. */
function Told({ name, values }: ToldProps) {
  const told = [...new Set(values)].filter((value) => value !== undefined && value !== '');
  return (
    <Fact name={name}>
      <Figure value={told.length === 0 ? null : told.join('; ')} none={texts.common.none.told}>
        {(all) => <NameText>{all}</NameText>}
      </Figure>
    </Fact>
  );
}

function deviceText(system: string | undefined, kind: string | undefined): string | undefined {
  if (system === undefined) return kind;
  return kind === undefined ? system : texts.participant.facts.systemOf(system, kind);
}
