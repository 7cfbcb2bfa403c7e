import type { ReactNode } from 'react';
import { ApiError, InvalidRequestError } from '../../errors.ts';
import { kindOf, useApi } from '../app/api.tsx';
import { texts } from '../texts/en.ts';
import { Notice } from './notice.tsx';

type ErrorNoticeProps = {
  readonly error: Error;
  readonly retry?: (() => void) | undefined;
  /** What has failed. By default, something could not be loaded. */
  readonly title?: string | undefined;
  /** What to say if the service has no such thing. */
  readonly notFound?: { readonly title: string; readonly text: string } | undefined;
};

/** Says what went wrong with a call, and what the reader can do about it. */
export function ErrorNotice({ error, retry, title, notFound }: ErrorNoticeProps) {
  const { session } = useApi();
  const { errors, retry: retryText, signInAgain } = texts.common;
  const kind = kindOf(error);
  const id = error instanceof ApiError && error.requestId !== undefined ? errors.requestId(error.requestId) : undefined;
  if (kind === 'notFound' && notFound) return <Notice {...notFound} kind="hint" />;
  const canRetry = retry !== undefined && kind !== 'expired' && kind !== 'noOrganization' && kind !== 'notEditor';
  return (
    <Notice title={title ?? errors.title} text={textOf(error, session.signInAgain !== undefined)} detail={id}>
      {kind === 'expired' && session.signInAgain && (
        <button type="button" className="button" onClick={session.signInAgain}>
          {signInAgain}
        </button>
      )}
      {canRetry && (
        <button type="button" className="button" onClick={retry}>
          {retryText}
        </button>
      )}
    </Notice>
  );
}

/** One sentence or two about an error, for the reader. */
export function textOf(error: Error, canSignIn: boolean): string {
  const { errors } = texts.common;
  const kind = kindOf(error);
  if (kind === 'expired') return canSignIn ? errors.expired : errors.expiredLocal;
  if (kind === 'pointsSpent')
    return errors.pointsSpent(error instanceof ApiError ? Math.ceil(error.retryAfterSeconds ?? 60) : 60);
  if (error instanceof InvalidRequestError && error.issues.length > 0)
    return error.issues.map(({ path, message }) => errors.issue(path, message)).join(' ');
  if (kind === 'notFound' || kind === 'refused') return error.message;
  return errors[kind];
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

/** Shows that a call runs. */
export function Loading({ text = texts.common.loading }: { readonly text?: string }) {
  return (
    <p className="loading" role="status">
      {text}
    </p>
  );
}
