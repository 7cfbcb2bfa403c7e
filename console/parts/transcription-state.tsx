import type { TranscriptionState } from '../../client/types.ts';
import { texts } from '../texts/en.ts';
import styles from './transcription-state.module.css';

const signs = { in_progress: '…', ready: '✓', failed: '✕' } as const satisfies Record<TranscriptionState, string>;

/** The state of a transcription, as a sign and a word. */
export function TranscriptionStateText({ state }: { readonly state: TranscriptionState }) {
  return (
    <span className={styles.state} data-state={state}>
      <span aria-hidden="true" className={styles.sign}>
        {signs[state]}
      </span>
      {texts.transcriptions.states[state]}
    </span>
  );
}
