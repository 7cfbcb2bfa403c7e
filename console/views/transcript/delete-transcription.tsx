import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../app/api.tsx';
import { ErrorNotice } from '../../parts/page/async-state.tsx';
import { texts } from '../../texts/en.ts';
import panelStyles from './panels.module.css';
import styles from './transcript.module.css';

/** Deletes a transcription, after the reader has confirmed what is lost. */
export function DeleteTranscription({ id }: { readonly id: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const { client } = useApi();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => client.transcriptions.delete(id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['transcriptions'] });
      await navigate({ to: '/transcriptions' });
    },
  });
  const { remove } = texts.transcript;
  return (
    <section className={`${styles.remove} no-print`}>
      {!isAsking && (
        <button type="button" className="button" onClick={() => setIsAsking(true)}>
          {remove}
        </button>
      )}
      {isAsking && (
        <Question
          isDeleting={deletion.isPending}
          onDelete={() => deletion.mutate()}
          onKeep={() => setIsAsking(false)}
        />
      )}
      {deletion.error && <ErrorNotice error={deletion.error} />}
    </section>
  );
}

type QuestionProps = { readonly isDeleting: boolean; readonly onDelete: () => void; readonly onKeep: () => void };

function Question({ isDeleting, onDelete, onKeep }: QuestionProps) {
  const { removeTitle, removeText, removeNow, keep } = texts.transcript;
  const keepButton = useRef<HTMLButtonElement>(null);
  useEffect(() => keepButton.current?.focus(), []);
  return (
    <div role="alertdialog" aria-labelledby="remove-title" aria-describedby="remove-text" className={styles.question}>
      <h2 id="remove-title">{removeTitle}</h2>
      <p id="remove-text">{removeText}</p>
      <div className={panelStyles.buttons}>
        <button type="button" className={`button ${styles.danger}`} disabled={isDeleting} onClick={onDelete}>
          {removeNow}
        </button>
        <button type="button" className="button" ref={keepButton} disabled={isDeleting} onClick={onKeep}>
          {keep}
        </button>
      </div>
    </div>
  );
}
