import { memo, useState } from 'react';
import type { SessionParticipant } from '../../../../client/types.ts';
import { TalkTime } from '../../../parts/charts/figure.tsx';
import { markedName, NameText } from '../../../parts/name-text.tsx';
import { TwoLines } from '../../../parts/tables/two-lines.tsx';
import type { TimeWindow } from '../../../parts/time-window/window.ts';
import { deviceOf } from '../../../parts/user-agent.ts';
import { texts } from '../../../texts/en.ts';
import { PersonLink } from './person-link.tsx';
import { Comment, RatingCell } from './rating-cell.tsx';
import { StayBars } from './stay-bars.tsx';
import styles from './timeline.module.css';
import { type Known, useConnections } from './use-connections.ts';

/** What the rows need to know of the session. */
export type SessionOfRow = {
  readonly id: string;
  readonly room: string | undefined;
  readonly endedAt: string | null | undefined;
};

type TimelineRowProps = {
  readonly index: number;
  readonly person: SessionParticipant;
  readonly of: SessionOfRow;
  readonly window: TimeWindow;
  readonly measure: (element: HTMLElement | null) => void;
};

/** One person: the figures, and the stays as bars. What the person wrote opens below. */
export const TimelineRow = memo(function TimelineRow({ index, person, of, window, measure }: TimelineRowProps) {
  const known = useConnections(of.id, person.participantId);
  const [isOpen, setIsOpen] = useState(false);
  const { people, shortSources } = texts.session;
  const { columns } = people;
  return (
    <tbody ref={measure} data-index={index}>
      <tr aria-rowindex={index + 2} className={styles.row}>
        <th scope="row" className={styles.name}>
          <PersonLink person={person} of={of} />
        </th>
        <td className={styles.role} data-label={columns.role}>
          <NameText cut>{person.roleName}</NameText>
        </td>
        <td className={styles.talk} data-label={columns.talk}>
          <TalkTime
            talk={person}
            note={person.spokenSource && <span className={styles.source}>{shortSources[person.spokenSource]}</span>}
          />
        </td>
        <td className={styles.rating} data-label={columns.rating}>
          <RatingCell person={person} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        </td>
        <td className={styles.device} data-label={columns.device}>
          <Device known={known} />
        </td>
        <td className={styles.lane}>
          <StayBars person={person} known={known} sessionEndedAt={of.endedAt} window={window} />
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={6} className={styles.comment}>
            <Comment person={person} />
          </td>
        </tr>
      )}
    </tbody>
  );
});

function Device({ known }: { readonly known: Known }) {
  const { loadingDevice } = texts.session.people;
  const { loaded, told: toldNone } = texts.common.none;
  if (!known.connections) return <span className={styles.soft}>{known.hasFailed ? loaded : loadingDevice}</span>;
  const { browser, system } = deviceOf(known.connections.at(-1)?.userAgent ?? '');
  if (browser === undefined && system === undefined) return <span className={styles.soft}>{toldNone}</span>;
  const told = [browser, system].filter((part) => part !== undefined);
  return (
    <TwoLines
      first={<NameText>{told[0] ?? ''}</NameText>}
      second={told[1] !== undefined && <NameText>{told[1]}</NameText>}
      title={told.map(markedName).join(', ')}
    />
  );
}
