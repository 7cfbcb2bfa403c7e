import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { SessionParticipant } from '../../../../client/types.ts';
import { stringifySearch } from '../../../app/search.ts';
import { NameText, personName } from '../../../parts/name-text.tsx';
import styles from './timeline.module.css';

type PersonLinkProps = {
  readonly person: Pick<SessionParticipant, 'displayName' | 'participantId'>;
  readonly of: { readonly id: string; readonly room: string | undefined };
};

/**
 * The name of a person, which leads to the network of the person. The router's own links follow each change of the address, which is too much work
 * for the rows of a long list.
 */
export function PersonLink({ person: { displayName, participantId }, of }: PersonLinkProps) {
  const router = useRouter();
  const search = { session: of.id, room: of.room, id: participantId };
  const go = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: '/participant', search });
  };
  return (
    <a href={`${import.meta.env.BASE_URL}participant${stringifySearch(search)}`} onClick={go} className={styles.person}>
      <NameText cut>{personName(displayName)}</NameText>
    </a>
  );
}
