import { useMemo, useState } from 'react';
import { Figure } from '../../../parts/charts/figure.tsx';
import { NameText } from '../../../parts/name-text.tsx';
import { type Column, DataTable, widths } from '../../../parts/tables/data-table.tsx';
import { rowsList } from '../../../parts/tables/rows-list.ts';
import { TimeText } from '../../../parts/time-text.tsx';
import { type Device, deviceOf } from '../../../parts/user-agent.ts';
import { texts } from '../../../texts/en.ts';
import { type Connection, isoOf } from './network/samples.ts';
import styles from './participant.module.css';

type Row = { readonly number: number; readonly connection: Connection; readonly device: Device };

/** The connections of the participant: when, and with which device and browser. */
export function Connections({ connections }: { readonly connections: readonly Connection[] }) {
  const [hasAgent, setHasAgent] = useState(false);
  const { title, caption, showAgent } = texts.participant.connections;
  const list = useMemo(
    () =>
      rowsList(
        connections.map((connection, index) => ({
          number: index + 1,
          connection,
          device: deviceOf(connection.userAgent),
        })),
      ),
    [connections],
  );
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      <label className={`${styles.check} no-print`}>
        <input type="checkbox" checked={hasAgent} onChange={({ target }) => setHasAgent(target.checked)} /> {showAgent}
      </label>
      <DataTable
        caption={caption}
        columns={hasAgent ? columnsWithAgent : columns}
        list={list}
        rowKey={({ number }) => String(number)}
        empty={null}
      />
    </section>
  );
}

const { connections: words } = texts.participant;
const told = (text: string | undefined) => (
  <Figure value={text} none={texts.common.none.told}>
    {(known) => <NameText cut>{known}</NameText>}
  </Figure>
);

const columns: readonly Column<Row>[] = [
  { id: 'number', heading: words.number, cell: ({ number }) => number, isRowHeading: true, width: '4rem' },
  {
    id: 'joined',
    heading: words.joined,
    cell: ({ connection }) => (
      <TimeText value={isoOf(connection.joinedAt)} none={texts.common.none.told} precision="second" />
    ),
    width: widths.second,
  },
  {
    id: 'left',
    heading: words.left,
    cell: ({ connection }) => (
      <TimeText value={isoOf(connection.leftAt)} none={texts.common.none.told} precision="second" />
    ),
    width: widths.second,
  },
  {
    id: 'role',
    heading: words.role,
    cell: ({ connection }) => <NameText cut>{connection.userRole}</NameText>,
    width: '8rem',
  },
  { id: 'browser', heading: words.browser, cell: ({ device }) => told(device.browser) },
  { id: 'system', heading: words.system, cell: ({ device }) => told(device.system) },
  { id: 'kind', heading: words.kind, cell: ({ device }) => told(device.kind), width: '8rem' },
  { id: 'rated', heading: words.rated, cell: ratingsOf, width: widths.second },
];

const columnsWithAgent: readonly Column<Row>[] = [
  ...columns,
  {
    id: 'agent',
    heading: words.agent,
    cell: ({ connection }) => <Agent text={connection.userAgent} />,
    width: '70rem',
  },
];

function ratingsOf({ connection: { events } }: Row) {
  const rated = events.findLast(({ type }) => type === 'rated');
  return <TimeText value={rated?.timeStamp} none={texts.common.none.rated} precision="second" />;
}

function Agent({ text }: { readonly text: string }) {
  if (text === '') return <span className="hint">{texts.common.none.told}</span>;
  return (
    <code className={styles.agent} title={text}>
      <NameText>{text}</NameText>
    </code>
  );
}
