import { type ErrorComponentProps, lazyRouteComponent } from '@tanstack/react-router';
import { useEffect } from 'react';
import { unlessAborted } from '../../signals.ts';
import { ErrorNotice } from '../parts/async-state.tsx';
import { ViewLoadError } from '../parts/view-load-error.ts';
import { answerMs } from '../sign-in/config.ts';

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
  useEffect(() => {
    if (!(error instanceof ViewLoadError)) return;
    void reloadIf((served) => served !== entryOf(document));
    const again = () => void reloadIf(() => true);
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [error]);
  return <ErrorNotice error={error as Error} retry={() => void reloadIf(() => true)} />;
}

/** Loads the page again if the server has it, because the browser's page for errors would take the place of this one. */
async function reloadIf(isWanted: (served: string) => boolean): Promise<void> {
  const request = { cache: 'no-store', signal: AbortSignal.timeout(answerMs) } as const;
  const text = await fetch(import.meta.env.BASE_URL, request)
    .then((answer) => answer.text())
    .catch(() => '');
  const served = entryOf(new DOMParser().parseFromString(text, 'text/html'));
  if (served !== undefined && isWanted(served)) location.reload();
}

/** The script with which a page begins. Its name differs from version to version. */
function entryOf(page: Document): string | undefined {
  return page.querySelector('script[type=module]')?.getAttribute('src') ?? undefined;
}
