import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../../app/api.tsx';
import { texts } from '../../texts/en.ts';
import { AsyncState } from './async-state.tsx';
import { Notice } from './notice.tsx';

type UntoldProps = {
  /** The room or the session of which insights know nothing. */
  readonly of: { readonly roomName: string } | { readonly roomSessionId: string };
  readonly children: ReactNode;
};

/** What to say of a room or session without events: whether it has transcriptions. The API does not list recordings. */
export function Untold({ of, children }: UntoldProps) {
  const isRoom = 'roomName' in of;
  const unknown = isRoom ? texts.room.unknown : texts.session.unknown;
  const untold = isRoom ? texts.room.untold : texts.session.untold;
  const { client } = useApi();
  const query = useQuery({
    queryKey: ['untold', of],
    queryFn: async ({ signal }) => (await client.transcriptions.list({ ...of, limit: 1 }, { signal }).page()).results,
  });
  const search = 'roomName' in of ? { room: of.roomName } : { session: of.roomSessionId };
  return (
    <AsyncState query={query}>
      {({ length }) => (
        <Notice {...(length > 0 ? untold : unknown)} kind="hint">
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
