import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../app/api.tsx';
import { texts } from '../texts/en.ts';
import { AsyncState } from './async-state.tsx';
import { Notice } from './notice.tsx';

type Words = { readonly title: string; readonly text: string };

type UntoldProps = {
  /** The room or the session of which insights know nothing. */
  readonly of: { readonly roomName: string } | { readonly roomSessionId: string };
  /** What to say if nothing of it has arrived. */
  readonly notFound: Words;
  /** What to say if it was recorded or transcribed, and nobody sent its events. */
  readonly untold: Words;
  readonly children: ReactNode;
};

/** Tells a room or session of which nothing has arrived from one that has transcriptions, although nobody sent its events. */
export function Untold({ of, notFound, untold, children }: UntoldProps) {
  const { client } = useApi();
  const query = useQuery({
    queryKey: ['untold', of],
    queryFn: async ({ signal }) => (await client.transcriptions.list({ ...of, limit: 1 }, { signal }).page()).results,
  });
  const search = 'roomName' in of ? { room: of.roomName } : { session: of.roomSessionId };
  return (
    <AsyncState query={query} notFound={notFound}>
      {({ length }) => (
        <Notice {...(length > 0 ? untold : notFound)} kind="hint">
          {length > 0 && (
            <p>
              <Link to="/transcriptions" search={search}>
                {texts.common.itsTranscriptions}
              </Link>
            </p>
          )}
          {children}
        </Notice>
      )}
    </AsyncState>
  );
}
