import type { ParticipantSessionDetail } from '../../types.ts';
import type { Screen } from './screen.ts';

/** The network of one connection. */
export function networkCharts({ samples }: ParticipantSessionDetail, _screen: Screen): string {
  return Object.entries(samples)
    .map(([name, values]) => `${name}: ${values.length}`)
    .join('\n');
}
