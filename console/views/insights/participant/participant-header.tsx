import { useSearch } from '@tanstack/react-router';
import { NameHeading } from '../../../parts/name-heading.tsx';
import { personName } from '../../../parts/name-text.tsx';
import { sessionCrumbs } from '../../../parts/page/crumb-links.tsx';
import { ViewHeader } from '../../../parts/page/view-header.tsx';
import type { DownloadButtonProps } from '../../../parts/tables/download-button.tsx';
import { texts } from '../../../texts/en.ts';

type ParticipantHeaderProps = {
  readonly name?: string | undefined;
  readonly session: SessionOfParticipant;
  readonly csv?: DownloadButtonProps;
};

/** The session of a participant: its start is known if the address names the room. */
export type SessionOfParticipant = { readonly id: string; readonly startedAt: string | undefined };

/** The name of the participant, below the way up to the session and the room. */
export function ParticipantHeader({ name, session, csv }: ParticipantHeaderProps) {
  const { room } = useSearch({ from: '/participant' });
  return (
    <ViewHeader crumbs={sessionCrumbs(session.id, room, session.startedAt)} csv={csv}>
      <NameHeading>{name === undefined ? texts.participant.title : personName(name)}</NameHeading>
    </ViewHeader>
  );
}
