import { texts } from '../../../../texts/en.ts';
import styles from './charts.module.css';
import { LineName } from './line-name.tsx';
import type { Line } from './lines.ts';
import { signs } from './plot-marks.ts';

type LegendProps = {
  readonly lines: readonly Line[];
  readonly hidden: readonly string[];
  readonly onToggle: (key: string) => void;
};

/** The lines of the charts with their colours and dashes. Each is a switch. */
export function Legend({ lines, hidden, onToggle }: LegendProps) {
  const { legend, marks, bad } = texts.participant;
  const first = lines.filter(({ of }) => !('lane' in of) || of.lane === 1);
  return (
    <div className={styles.legend}>
      <ul className="chips" aria-label={legend}>
        {first.map((line) => (
          <li key={line.key}>
            <button
              type="button"
              className={`chip ${styles.switch}`}
              aria-pressed={!hidden.includes(line.key)}
              onClick={() => onToggle(line.key)}
            >
              <Swatch line={line} />
              <LineName of={line.of} />
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.signs}>
        <span>
          <span aria-hidden="true" className={styles.badMinute} /> {bad.legend}
        </span>
        {(['joined', 'left', 'rated'] as const).map((type) => (
          <span key={type}>
            <span aria-hidden="true">{signs[type]}</span> {marks[type]}
          </span>
        ))}
      </p>
    </div>
  );
}

/** A piece of a line, as the charts draw it. */
export function Swatch({ line: { color, dash, width } }: { readonly line: Pick<Line, 'color' | 'dash' | 'width'> }) {
  const stroke = color === 'session' ? 'var(--text)' : `var(--${color})`;
  return (
    <svg aria-hidden="true" width="30" height="10" className={styles.swatch}>
      <line x1="0" y1="5" x2="30" y2="5" stroke={stroke} strokeWidth={width + 0.5} strokeDasharray={dash.join(' ')} />
    </svg>
  );
}
