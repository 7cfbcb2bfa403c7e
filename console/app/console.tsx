import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Patience } from '../parts/page/async-state.tsx';
import { Notice } from '../parts/page/notice.tsx';
import { SignInError } from '../sign-in/config.ts';
import { openSession, startAgain } from '../sign-in/session.ts';
import { texts } from '../texts/en.ts';
import { type Api, ApiProvider, createApi, createQueryClient } from './api.tsx';
import { PreferencesProvider } from './preferences.tsx';
import { createConsoleRouter } from './router.tsx';

type Start = { readonly api: Api } | { readonly error: SignInError } | undefined;

const queryClient = createQueryClient();

/** The whole console: signs the reader in, then shows the view of the address. */
export function Console() {
  const start = useStart();
  return <PreferencesProvider>{contentOf(start)}</PreferencesProvider>;
}

function contentOf(start: Start) {
  if (!start) return <Patience />;
  if ('error' in start) return <StartFailure error={start.error} />;
  return <Started api={start.api} />;
}

function Started({ api }: { readonly api: Api }) {
  const [router] = useState(createConsoleRouter);
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider value={api}>
        <RouterProvider router={router} />
      </ApiProvider>
    </QueryClientProvider>
  );
}

let session: Promise<Api> | undefined;

/** Begins once, also in React's strict mode: a code of the issuer is good for one exchange. */
function useStart(): Start {
  const [start, setStart] = useState<Start>();
  useEffect(() => {
    session ??= openSession().then(createApi);
    session.then(
      (api) => setStart({ api }),
      (error: unknown) => setStart({ error: asSignInError(error) }),
    );
  }, []);
  return start;
}

function asSignInError(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  return new SignInError('unreachable', error instanceof Error ? error.message : String(error));
}

/** Says why the console cannot begin. The reader begins again at the same address, so what they asked for is not lost. */
function StartFailure({ error: { code, message } }: { readonly error: SignInError }) {
  const { start, retry, signIn } = texts.common;
  const isSignedOut = code === 'signed_out';
  return (
    <main className="start-failure">
      <Notice
        title={start[code]}
        text={start[`${code}Remedy`]}
        detail={isSignedOut ? undefined : message}
        kind={isSignedOut ? 'hint' : 'problem'}
      >
        {code !== 'link_needed' && (
          <button type="button" className="button" onClick={startAgain}>
            {isSignedOut || code === 'refused' ? signIn : retry}
          </button>
        )}
      </Notice>
    </main>
  );
}
