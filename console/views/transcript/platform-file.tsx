import { useQuery } from '@tanstack/react-query';
import type { TranscriptionDetail } from '../../../client/types.ts';
import { useApi } from '../../app/api.tsx';
import { AsyncState } from '../../parts/page/async-state.tsx';
import { saveFile } from '../../parts/tables/download-button.tsx';
import { texts } from '../../texts/en.ts';
import styles from './transcript.module.css';

/** So much of a file is shown. All of it can be downloaded. */
const shownCharacters = 200_000;

/** The file of a live transcription, as the platform wrote it. It has one format. */
export function PlatformFile({ transcription }: { readonly transcription: TranscriptionDetail }) {
  const { client } = useApi();
  const { transcriptionId: id, filename } = transcription;
  const query = useQuery({
    queryKey: ['platform-file', id],
    queryFn: ({ signal }) => client.transcriptions.downloadText(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { platformFile, platformFileRemedy, downloadFile, cut } = texts.transcript;
  return (
    <AsyncState query={query}>
      {(text) => (
        <section className={styles.file}>
          <p>
            {platformFile} {platformFileRemedy}
          </p>
          <p>
            <button
              type="button"
              className="button"
              onClick={() => saveFile(filename ?? `${id}.txt`, new Blob([text], { type: 'text/plain;charset=utf-8' }))}
            >
              {downloadFile}
            </button>
          </p>
          <pre className={styles.fileText} dir="auto">
            {text.slice(0, shownCharacters)}
          </pre>
          {text.length > shownCharacters && <p>{cut}</p>}
        </section>
      )}
    </AsyncState>
  );
}
