import { useMutation } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, NotFoundError } from '../../../client/errors.ts';
import { useApi, usePause } from '../../app/api.tsx';
import { sectionOf } from '../../app/sections.ts';
import { texts } from '../../texts/en.ts';
import { adviceOn } from '../advice.ts';
import { Notice } from './notice.tsx';

type ErrorNoticeProps = {
  readonly error: Error;
  /** Repeats what failed, if it is what the address asks for. Without it, the error is one of something that the reader did. */
  readonly retry?: (() => void) | undefined;
  /** What has failed. By default, something could not be loaded. */
  readonly title?: string | undefined;
  /** What to say if the service has no such thing. */
  readonly notFound?: { readonly title: string; readonly text: string } | undefined;
};

/** Says what went wrong with a call, and what the reader can do about it. */
export function ErrorNotice({ error, retry, title, notFound }: ErrorNoticeProps) {
  const { session } = useApi();
  const { errors, retry: retryText } = texts.common;
  if (notFound && error instanceof NotFoundError)
    return (
      <Notice {...notFound} kind="hint">
        <ListLink />
      </Notice>
    );
  const context = { isView: retry !== undefined, canSignIn: session.signInAgain !== undefined };
  const { text, action } = adviceOn(error, context);
  return (
    <Notice title={title ?? errors.title} text={text} detail={action === 'list' ? undefined : detailOf(error)}>
      {action === 'signIn' && session.signInAgain && <SignInAgain signIn={session.signInAgain} />}
      {action === 'retry' && retry && (
        <button type="button" className="button" onClick={retry}>
          {retryText}
        </button>
      )}
      {action === 'list' && <ListLink />}
    </Notice>
  );
}

/** The request by which the operator finds a failure in the logs, or what came without one. The operator cannot mend an address. */
function detailOf(error: Error): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.requestId !== undefined) return texts.common.errors.requestId(error.requestId);
  return error.status >= 500 ? error.message : undefined;
}

function SignInAgain({ signIn }: { readonly signIn: () => Promise<never> }) {
  const { mutate, error } = useMutation({ mutationFn: signIn });
  return (
    <>
      {error && <p role="alert">{textOf(error, true)}</p>}
      <button type="button" className="button" onClick={() => mutate()}>
        {texts.common.signInAgain}
      </button>
    </>
  );
}

/** One sentence or two about the failure of something that the reader did. */
export function textOf(error: Error, canSignIn: boolean): string {
  return adviceOn(error, { isView: false, canSignIn }).text;
}

/** Leads from an address that asks for what there is not to the list of its view. */
function ListLink() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const section = sectionOf(path) ?? 'rooms';
  return (
    <Link to={`/${section}`} search={{}}>
      {texts.common.toList[section]}
    </Link>
  );
}

type AsyncStateProps<Data> = {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly notFound?: ErrorNoticeProps['notFound'];
  readonly children: (data: Data) => ReactNode;
};

/** Shows that a call runs, what it answered, or what went wrong. */
export function AsyncState<Data>({ query, notFound, children }: AsyncStateProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} notFound={notFound} />;
  return <Loading />;
}

/** Shows that a call runs, or that it waits for points. */
export function Loading({ text }: { readonly text?: string }) {
  const pauseSeconds = usePause();
  return <Patience text={pauseSeconds === undefined ? text : texts.common.waiting(pauseSeconds)} />;
}

/** After so long, the reader is told that there is no answer yet. */
const patienceMs = 5_000;

/** Shows that something runs, and says so if it takes long. */
export function Patience({ text = texts.common.loading }: { readonly text?: string | undefined }) {
  const [isLong, setIsLong] = useState(false);
  const { loading, loadingLong } = texts.common;
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className="loading" role="status">
      {isLong && text === loading ? `${text} ${loadingLong}` : text}
    </p>
  );
}
