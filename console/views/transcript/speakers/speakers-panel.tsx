import type { Speaker, TranscriptionDetail } from '../../../../client/types.ts';
import { texts } from '../../../texts/en.ts';
import styles from '../panels.module.css';
import { SpeakerItem } from './speaker-item.tsx';

type SpeakersPanelProps = {
  readonly transcription: TranscriptionDetail;
  /** The speaker whose turns are shown. Undefined if all are. */
  readonly shown: Speaker['speaker'] | undefined;
  readonly onShow: (speaker: Speaker['speaker'] | undefined) => void;
};

/** Who speaks, how much, and how it is known. Each can be renamed, and shown alone. */
export function SpeakersPanel({ transcription, shown, onShow }: SpeakersPanelProps) {
  const { speakers = [] } = transcription;
  if (speakers.length === 0) return null;
  return (
    <section className={styles.panel} aria-labelledby="speakers-title">
      <h2 id="speakers-title">{texts.transcript.speakers}</h2>
      <ul className={styles.speakers}>
        {speakers.map((speaker) => (
          <SpeakerItem
            key={speaker.speaker}
            transcription={transcription}
            speaker={speaker}
            isShownAlone={shown === speaker.speaker}
            onShow={onShow}
          />
        ))}
      </ul>
    </section>
  );
}
