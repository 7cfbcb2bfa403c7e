import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useApi } from '../../app/api.tsx';
import { texts } from '../../texts/en.ts';
import { recordingLinkOf } from './recording-link.ts';
import styles from './turns.module.css';

/** The recording beside a transcript, and its player. */
export type Audio = {
  readonly url: string;
  readonly element: RefObject<HTMLAudioElement | null>;
  readonly hasFailed: boolean;
  /** Plays from a moment, in seconds. */
  readonly play: (seconds: number) => void;
  readonly onTime: () => void;
  readonly onError: () => void;
  readonly onLoaded: () => void;
};

/** The recording of a transcription. Undefined as long as there is no link to it, which a stage need not allow. */
export function useAudio(id: string, onTime: (seconds: number) => void): Audio | undefined {
  const { client } = useApi();
  const element = useRef<HTMLAudioElement>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const resume = useRef<number>(undefined);
  const { data: link, refetch } = useQuery({
    queryKey: ['recording-link', id],
    queryFn: ({ signal }) => recordingLinkOf(client, id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is another attempt
  useEffect(() => setHasFailed(false), [link]);
  if (!link) return undefined;
  const onError = () => {
    if (Date.now() < Date.parse(link.expiresAt)) return setHasFailed(true);
    resume.current = element.current?.currentTime; // the link has ended: another one goes on at this moment
    void refetch();
  };
  const onLoaded = () => {
    const player = element.current;
    if (!player || resume.current === undefined) return;
    player.currentTime = resume.current;
    resume.current = undefined;
    void player.play().catch(() => {}); // the browser may want a click first
  };
  const play = (seconds: number) => {
    const player = element.current;
    if (!player) return;
    player.currentTime = seconds;
    void player.play().catch(() => {}); // what goes wrong is an error of the element
  };
  return {
    url: link.url,
    element,
    hasFailed,
    play,
    onTime: () => onTime(element.current?.currentTime ?? 0),
    onError,
    onLoaded,
  };
}

/** Plays the recording. Shows nothing if there is none. */
export function AudioPlayer({ audio }: { readonly audio: Audio | undefined }) {
  if (!audio) return null;
  const { url, element, hasFailed, onTime, onError, onLoaded } = audio;
  const { recording, recordingFailed } = texts.transcript;
  return (
    <div className={styles.audio}>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript is below */}
      <audio
        controls
        preload="none"
        src={url}
        ref={element}
        aria-label={recording}
        onTimeUpdate={onTime}
        onError={onError}
        onLoadedMetadata={onLoaded}
      />
      {hasFailed && <p role="alert">{recordingFailed}</p>}
    </div>
  );
}
