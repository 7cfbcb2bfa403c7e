import { type ErrorComponentProps, lazyRouteComponent } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { unlessAborted } from '../../client/signals.ts';
import { ErrorNotice, Loading } from '../parts/page/async-state.tsx';
import { ViewLoadError } from '../parts/page/view-load-error.ts';
import { answerMs } from '../sign-in/config.ts';
import { loadAgain, loadNewVersion } from './load-again.ts';

/** A view whose code is loaded when it is opened. The router alone would load the whole page again if that fails, also without a network. */
// biome-ignore lint/suspicious/noExplicitAny: the router asks for this type
export function lazyView<Module extends Record<string, any>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  const loadInTime = () =>
    unlessAborted(load(), AbortSignal.timeout(answerMs)).catch((cause: unknown) => {
      throw new ViewLoadError('The code of the view was not loaded.', { cause });
    });
  return lazyRouteComponent<Module, Name>(loadInTime, name);
}

/** Takes the place of a view that cannot be shown. It loads again by itself, at the same address: a new version immediately, and this one with the network. */
export function ViewFailure({ error }: ErrorComponentProps) {
  const [isTrying, setIsTrying] = useState(false);
  const again = async () => {
    setIsTrying(true);
    setIsTrying(await loadAgain());
  };
  useEffect(() => {
    if (!(error instanceof ViewLoadError)) return;
    void loadNewVersion();
    const onOnline = () => void loadAgain();
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, [error]);
  return isTrying ? <Loading /> : <ErrorNotice error={error as Error} retry={() => void again()} />;
}
