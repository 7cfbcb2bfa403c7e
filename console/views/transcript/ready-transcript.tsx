import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { TranscriptionDetail } from '../../../client/types.ts';
import { useApi } from '../../app/api.tsx';
import { ErrorNotice, Loading } from '../../parts/page/async-state.tsx';
import { texts } from '../../texts/en.ts';
import { AudioPlayer, useAudio } from './audio-player.tsx';
import { Downloads } from './downloads.tsx';
import { FindBar } from './find-bar.tsx';
import { loadDocument } from './load-document.ts';
import { MissingSpans } from './missing-spans.tsx';
import type { ReadDocument } from './read-document.ts';
import { SpeakersPanel } from './speakers/speakers-panel.tsx';
import styles from './transcript.module.css';
import { TurnList } from './turn-list.tsx';
import turnStyles from './turns.module.css';
import { heardTurn } from './turns.ts';
import { useReading } from './use-reading.ts';

/** The element above the turns that stays in sight. */
const toolsId = 'transcript-tools';

type ReadyTranscriptProps = { readonly transcription: TranscriptionDetail };

/** A transcript that the service has made: its turns, who speaks, and what can be done with it. */
export function ReadyTranscript({ transcription }: ReadyTranscriptProps) {
  const { client } = useApi();
  const { transcriptionId: id } = transcription;
  const { data, error, refetch } = useQuery({
    queryKey: ['transcript-document', id],
    queryFn: ({ signal }) => loadDocument(client, id, signal),
    staleTime: Number.POSITIVE_INFINITY, // corrections change names alone, which the transcription has
  });
  if (data) return <Reading transcription={transcription} document={data} />;
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />;
  return <Loading text={texts.transcript.loadingTranscript} />;
}

function Reading({ transcription, document }: ReadyTranscriptProps & { readonly document: ReadDocument }) {
  const { transcriptionId: id, speakers = [] } = transcription;
  const view = useReading(document);
  const [heard, setHeard] = useState(-1);
  const audio = useAudio(id, (seconds) => setHeard(heardTurn(view.turns, seconds)));
  const names = useMemo(() => new Map(speakers.map((each) => [each.speaker, each.displayName])), [speakers]);
  return (
    <div className={styles.reading}>
      <aside className={styles.aside}>
        <MissingSpans spans={document.missing} speakers={speakers} />
        <SpeakersPanel transcription={transcription} shown={view.speaker} onShow={(speaker) => view.go({ speaker })} />
        <Downloads transcription={transcription} />
      </aside>
      <section aria-label={texts.transcript.turns}>
        <div className={`${turnStyles.tools} no-print`} id={toolsId}>
          <FindBar view={view} all={document.turns.length} />
          <AudioPlayer audio={audio} />
        </div>
        <TurnList
          view={view}
          names={names}
          clockStartDate={document.clockStartDate}
          heard={heard}
          play={audio?.play}
          toolsId={toolsId}
        />
      </section>
    </div>
  );
}
