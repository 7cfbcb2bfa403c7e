import { useEffect, useRef, useState } from 'react';
import type { Speaker, TranscriptionDetail } from '../../../../client/types.ts';
import { formatDuration } from '../../../parts/formats.ts';
import { markedName, NameText } from '../../../parts/name-text.tsx';
import { texts } from '../../../texts/en.ts';
import { confidenceInWords } from '../in-words.ts';
import styles from '../panels.module.css';
import { CorrectionState } from './correction-state.tsx';
import { RenameForm } from './rename-form.tsx';
import { useCorrection } from './use-correction.ts';

type SpeakerItemProps = {
  readonly transcription: TranscriptionDetail;
  readonly speaker: Speaker;
  readonly isShownAlone: boolean;
  readonly onShow: (speaker: string | undefined) => void;
};

/** A speaker: their name and how it is known, their share, and what the reader can do about them. */
export function SpeakerItem({ transcription, speaker, isShownAlone, onShow }: SpeakerItemProps) {
  const { transcriptionId: id, roomSessionId } = transcription;
  const { speaker: label, displayName, source } = speaker;
  const { onlyThem, rename, undo: undoText, about } = texts.transcript;
  const name = markedName(displayName);
  const [isRenaming, setIsRenaming] = useState(false);
  const renameButton = useFocusAfter(isRenaming);
  const { correct, undo } = useCorrection(id, label);
  const isBusy = correct.isPending || undo.isPending;
  return (
    <li className={styles.person}>
      <SpeakerFacts speaker={speaker} />
      <div className={`${styles.buttons} no-print`}>
        <button
          type="button"
          className="chip"
          aria-label={about(onlyThem, name)}
          aria-pressed={isShownAlone}
          onClick={() => onShow(isShownAlone ? undefined : label)}
        >
          {onlyThem}
        </button>
        <button
          type="button"
          className="chip"
          ref={renameButton}
          aria-label={about(rename, name)}
          aria-expanded={isRenaming}
          onClick={() => setIsRenaming(!isRenaming)}
        >
          {rename}
        </button>
        {source === 'corrected' && (
          <button
            type="button"
            className="chip"
            aria-label={about(undoText, name)}
            disabled={isBusy}
            onClick={() => undo.mutate()}
          >
            {undoText}
          </button>
        )}
      </div>
      {isRenaming && (
        <RenameForm
          roomSessionId={roomSessionId}
          name={displayName}
          onCancel={() => setIsRenaming(false)}
          onSave={(correction) => {
            undo.reset();
            correct.mutate(correction);
            setIsRenaming(false);
          }}
        />
      )}
      <CorrectionState correct={correct} undo={undo} />
    </li>
  );
}

function SpeakerFacts({ speaker }: { readonly speaker: Speaker }) {
  const { displayName, source, confidence, share, spokenSeconds, turns, input } = speaker;
  const { share: percentOf, spoken, sources, screenOf } = texts.transcript;
  const percent = Math.round(share * 100);
  const sure = confidenceInWords(confidence);
  return (
    <>
      <p className={styles.personName}>
        <NameText>{displayName}</NameText>
        <span className={styles.percent}>{percentOf(percent)}</span>
      </p>
      <div className={styles.bar} aria-hidden="true">
        <div style={{ width: `${percent}%` }} />
      </div>
      <p className={styles.personFacts}>
        {spoken(formatDuration(spokenSeconds), turns)}
        {input === 'screen' && `, ${screenOf}`}
      </p>
      <p className={styles.personFacts} title={confidence === null ? undefined : String(confidence)}>
        {sources[source]}
        {sure !== undefined && source !== 'corrected' && `, ${sure}`}
      </p>
    </>
  );
}

/** The focus goes back to the button when the form that it has opened is closed. */
function useFocusAfter(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return button;
}
