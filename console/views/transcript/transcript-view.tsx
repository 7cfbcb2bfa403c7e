import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { TranscriptionDetail } from '../../../client/types.ts';
import { useApi } from '../../app/api.tsx';
import { AsyncState } from '../../parts/page/async-state.tsx';
import { Notice } from '../../parts/page/notice.tsx';
import { useDocumentTitle } from '../../parts/page/use-document-title.ts';
import { useRegularly } from '../../parts/page/use-regularly.ts';
import { texts } from '../../texts/en.ts';
import { DeleteTranscription } from './delete-transcription.tsx';
import { FailedState, InProgressState, SelfHostedState } from './other-states.tsx';
import { PlatformFile } from './platform-file.tsx';
import { ReadyTranscript } from './ready-transcript.tsx';
import styles from './transcript.module.css';
import { TranscriptHead, TranscriptHeader } from './transcript-head.tsx';
import { transcriptionKey } from './transcription-key.ts';

const route = getRouteApi('/transcript');

/** One transcript, or why there is none. */
export function TranscriptView() {
  const { id } = route.useSearch();
  const { title, noId, noIdRemedy, all } = texts.transcript;
  useDocumentTitle(title);
  if (id !== undefined) return <KnownTranscript id={id} />;
  return (
    <>
      <TranscriptHeader>{title}</TranscriptHeader>
      <Notice title={noId} text={noIdRemedy} kind="hint">
        <Link to="/transcriptions">{all}</Link>
      </Notice>
    </>
  );
}

function KnownTranscript({ id }: { readonly id: string }) {
  const { client } = useApi();
  const query = useQuery({
    queryKey: transcriptionKey(id),
    queryFn: ({ signal }) => client.transcriptions.get(id, { signal }),
  });
  const queries = useQueryClient();
  const refresh = useCallback(() => void queries.invalidateQueries({ queryKey: transcriptionKey(id) }), [queries, id]);
  useRegularly(refresh, query.data?.state === 'in_progress');
  const { title, notFound, notFoundRemedy } = texts.transcript;
  return (
    <>
      {query.data === undefined && <TranscriptHeader>{title}</TranscriptHeader>}
      <AsyncState query={query} notFound={{ title: notFound, text: notFoundRemedy }}>
        {(transcription) => <Transcript transcription={transcription} />}
      </AsyncState>
    </>
  );
}

function Transcript({ transcription }: { readonly transcription: TranscriptionDetail }) {
  useDocumentTitle(texts.transcript.titleOf(transcription.roomName));
  return (
    <div className={styles.view}>
      <TranscriptHead transcription={transcription} />
      {contentOf(transcription)}
      <DeleteTranscription id={transcription.transcriptionId} />
    </div>
  );
}

function contentOf(transcription: TranscriptionDetail) {
  const { state, storageType, type } = transcription;
  if (state === 'in_progress') return <InProgressState transcription={transcription} />;
  if (state === 'failed') return <FailedState transcription={transcription} />;
  if (storageType === 'SELF_HOSTED') return <SelfHostedState transcription={transcription} />;
  if (type === 'LIVE_TRANSCRIPTION') return <PlatformFile transcription={transcription} />;
  return <ReadyTranscript transcription={transcription} />;
}
