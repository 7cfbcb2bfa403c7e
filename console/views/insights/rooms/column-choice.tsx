import * as Popover from 'radix-ui/popover';
import { texts } from '../../../texts/en.ts';
import styles from './column-choice.module.css';
import { type RoomColumnId, roomColumnIds, usualRoomColumns } from './room-column-ids.ts';

type ColumnChoiceProps = {
  readonly columns: readonly RoomColumnId[];
  readonly onChange: (columns: readonly RoomColumnId[]) => void;
};

/** A button that opens a list of columns to choose from. */
export function ColumnChoice({ columns, onChange }: ColumnChoiceProps) {
  const { columns: label, columnsLegend, columnsReset, headings } = texts.rooms;
  const toggle = (id: RoomColumnId) =>
    onChange(columns.includes(id) ? columns.filter((other) => other !== id) : [...columns, id]);
  return (
    <Popover.Root>
      <Popover.Trigger className="button">
        {label} <span aria-hidden="true">▾</span>
      </Popover.Trigger>
      <Popover.Content
        className={styles.panel}
        align="end"
        sideOffset={4}
        collisionPadding={8}
        aria-label={columnsLegend}
      >
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">{columnsLegend}</legend>
          {roomColumnIds.map((id) => (
            <label key={id} className={styles.choice}>
              <input
                type="checkbox"
                checked={columns.includes(id)}
                disabled={id === 'roomName'}
                onChange={() => toggle(id)}
              />
              {headings[id]}
            </label>
          ))}
        </fieldset>
        <button type="button" className="button" onClick={() => onChange(usualRoomColumns)}>
          {columnsReset}
        </button>
      </Popover.Content>
    </Popover.Root>
  );
}
