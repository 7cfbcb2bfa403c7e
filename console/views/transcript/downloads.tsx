import { useMutation } from '@tanstack/react-query';
import type { TranscriptFormat, TranscriptionDetail } from '../../../client/types.ts';
import { useApi } from '../../app/api.tsx';
import { ErrorNotice } from '../../parts/page/async-state.tsx';
import { saveFile } from '../../parts/tables/download-button.tsx';
import { texts } from '../../texts/en.ts';
import { filenameOf } from './in-words.ts';
import styles from './panels.module.css';

const formatIds = ['md', 'txt', 'vtt', 'srt', 'json'] as const satisfies readonly TranscriptFormat[];

/** Downloads the transcript in each format that the service has. */
export function Downloads({ transcription }: { readonly transcription: TranscriptionDetail }) {
  const { client } = useApi();
  const download = useMutation({
    mutationFn: async (format: TranscriptFormat) => {
      const response = await client.transcriptions.download(transcription.transcriptionId, { format });
      saveFile(filenameOf(transcription, format), await response.blob());
    },
  });
  const { downloads, formats, downloading } = texts.transcript;
  return (
    <section className={`${styles.panel} no-print`}>
      <h2>{downloads}</h2>
      <div className={styles.buttons}>
        {formatIds.map((format) => (
          <button
            key={format}
            type="button"
            className="button"
            disabled={download.isPending}
            onClick={() => download.mutate(format)}
          >
            {download.isPending && download.variables === format ? downloading : formats[format]}
          </button>
        ))}
      </div>
      {download.error && <ErrorNotice error={download.error} />}
    </section>
  );
}
