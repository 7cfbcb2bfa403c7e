import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { shownName } from '../../../../shared/runtime/shown-name.ts';
import { pageLimit, useApi } from '../../../app/api.tsx';
import { markedName } from '../../../parts/name-text.tsx';
import { texts } from '../../../texts/en.ts';
import styles from '../panels.module.css';
import { participantChoices } from './participant-choices.ts';
import type { Correction } from './use-correction.ts';

type RenameFormProps = {
  readonly roomSessionId: string;
  /** The name that the speaker has now. */
  readonly name: string;
  readonly onSave: (correction: Correction) => void;
  readonly onCancel: () => void;
};

/** Asks who a speaker is: a participant of the session, or somebody with a name that the reader types. */
export function RenameForm({ roomSessionId, name, onSave, onCancel }: RenameFormProps) {
  const { renameTitle, orName, save, cancel } = texts.transcript;
  const [participantId, setParticipantId] = useState('');
  const [typed, setTyped] = useState('');
  const choices = useChoices(roomSessionId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = choices.data?.find((choice) => choice.participantId === participantId);
    if (chosen) onSave({ name: chosen.displayName, participantId });
    else if (shownName(typed) !== '') onSave({ name: typed.trim() });
  };
  return (
    <form
      className={`${styles.rename} no-print`}
      onSubmit={submit}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onCancel();
      }}
    >
      <fieldset className={styles.fields}>
        <legend>{renameTitle(markedName(name))}</legend>
        <ParticipantField choices={choices} value={participantId} onChange={setParticipantId} />
        <label className="field">
          {orName}
          <input
            className="input"
            dir="auto"
            maxLength={256}
            value={typed}
            disabled={participantId !== ''}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
      </fieldset>
      <div className={styles.buttons}>
        <button type="submit" className="button primary" disabled={participantId === '' && shownName(typed) === ''}>
          {save}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {cancel}
        </button>
      </div>
    </form>
  );
}

function useChoices(roomSessionId: string) {
  const { client } = useApi();
  return useQuery({
    queryKey: ['participant-choices', roomSessionId],
    queryFn: async ({ signal }) =>
      participantChoices(
        await client.insights.listParticipants({ roomSessionId, limit: pageLimit }, { signal }).toArray(),
      ),
  });
}

type ParticipantFieldProps = {
  readonly choices: ReturnType<typeof useChoices>;
  readonly value: string;
  readonly onChange: (participantId: string) => void;
};

function ParticipantField({ choices: { data, error, isLoading }, value, onChange }: ParticipantFieldProps) {
  const { participant, chooseParticipant, participantsFailed } = texts.transcript;
  const field = useRef<HTMLSelectElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <label className="field">
        {participant}
        <select className="select" ref={field} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{isLoading ? texts.common.loading : chooseParticipant}</option>
          {data?.map(({ participantId, text }) => (
            <option key={participantId} value={participantId}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {error && <p role="status">{participantsFailed}</p>}
    </>
  );
}
