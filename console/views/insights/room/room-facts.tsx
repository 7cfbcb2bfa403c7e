import type { RoomInsight } from '../../../../client/types.ts';
import { RatingText } from '../../../parts/charts/figure.tsx';
import { CompletenessText } from '../../../parts/completeness-text.tsx';
import { formatNumber } from '../../../parts/formats.ts';
import { Fact, Facts } from '../../../parts/tables/facts.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { texts } from '../../../texts/en.ts';

/** The totals of a room over all its sessions. */
export function RoomFacts({ room }: { readonly room: RoomInsight }) {
  const { facts } = texts.room;
  return (
    <Facts>
      <Fact name={facts.sessions}>{formatNumber(room.totalSessions)}</Fact>
      <Fact name={facts.participantMinutes}>{formatNumber(room.totalParticipantMinutes)}</Fact>
      <Fact name={facts.recorderMinutes}>{formatNumber(room.totalRecorderMinutes)}</Fact>
      <Fact name={facts.streamerMinutes}>{formatNumber(room.totalStreamerMinutes)}</Fact>
      <Fact name={facts.people}>{formatNumber(room.totalUniqueParticipants)}</Fact>
      <Fact name={facts.rating}>
        <RatingText rating={room.rating} count={room.totalRatings} />
      </Fact>
      <Fact name={facts.first}>
        <TimeText value={room.firstSessionStartedAt} none={texts.common.none.session} />
      </Fact>
      <Fact name={facts.last}>
        <TimeText value={room.lastSessionStartedAt} none={texts.common.none.session} />
      </Fact>
      <Fact name={facts.created}>
        <TimeText value={room.createdAt} />
      </Fact>
      {room.endAt !== null && (
        <Fact name={facts.closes}>
          <TimeText value={room.endAt} />
        </Fact>
      )}
      <Fact name={texts.common.completeness.label} isWide>
        <CompletenessText of={room} />
      </Fact>
    </Facts>
  );
}
