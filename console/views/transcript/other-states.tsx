import { useEffect, useState } from 'react';
import type { TranscriptionDetail } from '../../../client/types.ts';
import { formatDuration } from '../../parts/formats.ts';
import { Notice } from '../../parts/page/notice.tsx';
import { texts } from '../../texts/en.ts';

type StateProps = { readonly transcription: TranscriptionDetail };

/** Says for how long a transcription is in progress, and how far it is. */
export function InProgressState({ transcription: { createdAt, recordedSeconds, type } }: StateProps) {
  const { inProgress, inProgressSince, liveInProgress, recognizing } = texts.transcript;
  const now = useNow();
  const since = inProgressSince(formatDuration((now - Date.parse(createdAt)) / 1000));
  const known = recordedSeconds === undefined ? undefined : recognizing(formatDuration(recordedSeconds));
  return (
    <Notice title={inProgress} text={type === 'LIVE_TRANSCRIPTION' ? liveInProgress : known} kind="hint">
      <p>{since}</p>
    </Notice>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Says why a transcription failed: the code and message of the service, and what the reader can do. */
export function FailedState({ transcription: { failure } }: StateProps) {
  const { failed, remedyTitle } = texts.transcript;
  const code = failure?.code ?? 'engine_error';
  return (
    <Notice title={failed} text={failure?.message}>
      <p>
        <code>{code}</code>
      </p>
      <p>
        <strong>{remedyTitle}:</strong> {texts.failures[code]?.remedy ?? texts.failures.engine_error.remedy}
      </p>
    </Notice>
  );
}

/** Says where the file of a platform is that keeps it itself. */
export function SelfHostedState({ transcription: { filename } }: StateProps) {
  const { selfHosted, selfHostedRemedy } = texts.transcript;
  return <Notice title={selfHosted} text={selfHostedRemedy(filename)} kind="hint" />;
}
