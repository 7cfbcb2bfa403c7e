import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useApi } from '../../app/api.tsx';
import { usePreferences } from '../../app/preferences.tsx';
import { instantOfMinute, minuteOf } from '../../parts/days.ts';
import { ErrorNotice } from '../../parts/page/async-state.tsx';
import { texts } from '../../texts/en.ts';
import styles from './webhooks.module.css';

type ReplayDialogProps = {
  readonly webhookId: string;
  /** From when the replay is offered. */
  readonly from: string;
  readonly onClose: () => void;
  readonly onStarted: () => void;
};

/** Asks for a period, and delivers its notices to the webhook again. */
export function ReplayDialog({ webhookId, from, onClose, onStarted }: ReplayDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="replay-title" onClose={onClose}>
      <ReplayForm
        webhookId={webhookId}
        from={from}
        onCancel={() => dialog.current?.close()}
        onStarted={() => {
          onStarted();
          dialog.current?.close();
        }}
      />
    </dialog>
  );
}

type ReplayFormProps = Omit<ReplayDialogProps, 'onClose'> & { readonly onCancel: () => void };

function ReplayForm({ webhookId, from, onCancel, onStarted }: ReplayFormProps) {
  const { replayTitle, replayText, replayFrom, replayTo, replayStart, cancel } = texts.webhook;
  const { client } = useApi();
  const { zone } = usePreferences();
  const [start, setStart] = useState(() => minuteOf(from, zone));
  const [end, setEnd] = useState('');
  const replay = useMutation({
    mutationFn: (period: { from: string; to?: string }) => client.webhooks.replay(webhookId, period),
    onSuccess: onStarted,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [first, last] = [instantOfMinute(start, zone), instantOfMinute(end, zone)];
    if (first !== undefined) replay.mutate({ from: first, ...(last !== undefined && { to: last }) });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <h2 id="replay-title">{replayTitle}</h2>
      <p className="hint">{replayText}</p>
      <MinuteField label={replayFrom} value={start} onChange={setStart} isRequired />
      <MinuteField label={replayTo} value={end} onChange={setEnd} />
      {replay.error && <ErrorNotice title={texts.common.errors.notDone} error={replay.error} />}
      <div className={styles.buttons}>
        <button type="button" className="button" onClick={onCancel}>
          {cancel}
        </button>
        <button type="submit" className="button primary" disabled={replay.isPending}>
          {replayStart}
        </button>
      </div>
    </form>
  );
}

type MinuteFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isRequired?: true;
};

function MinuteField({ label, value, onChange, isRequired }: MinuteFieldProps) {
  const { zone } = usePreferences();
  return (
    <label className="field">
      {zone === 'utc' ? `${label}, ${texts.common.times.utc}` : label}
      <input
        type="datetime-local"
        className="input"
        required={isRequired}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
