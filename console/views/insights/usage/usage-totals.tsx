import { usePoints } from '../../../app/api.tsx';
import { formatDuration, formatNumber } from '../../../parts/formats.ts';
import { Fact, Facts } from '../../../parts/tables/facts.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { texts } from '../../../texts/en.ts';
import { type Figures, formatCosts } from './usage-figures.ts';

/** The figures of the whole period, what its recognition cost, and the points that are left now. */
export function UsageTotals({ total, prices }: { readonly total: Figures; readonly prices: readonly number[] }) {
  const { facts } = texts.usage;
  return (
    <Facts>
      <Fact name={facts.sessions}>{formatNumber(total.sessions)}</Fact>
      <Fact name={facts.participantMinutes}>{formatNumber(total.participantMinutes)}</Fact>
      <Fact name={facts.recorderMinutes}>{formatNumber(total.recorderMinutes)}</Fact>
      <Fact name={facts.streamerMinutes}>{formatNumber(total.streamerMinutes)}</Fact>
      <Fact name={facts.transcriptions}>{formatNumber(total.transcriptions)}</Fact>
      <Fact name={facts.transcribed}>{formatDuration(total.transcribedSeconds)}</Fact>
      <Fact name={facts.cost}>≈ {formatCosts(total, prices)}</Fact>
      <PointsFact />
    </Facts>
  );
}

function PointsFact() {
  const points = usePoints();
  if (!points) return null;
  const { facts, pointsReturn } = texts.usage;
  return (
    <Fact name={facts.points}>
      {formatNumber(points.remaining)} / {formatNumber(points.limit)}{' '}
      <span className="hint">
        {pointsReturn} <TimeText value={new Date(points.resetsAt).toISOString()} precision="clock" />
      </span>
    </Fact>
  );
}
