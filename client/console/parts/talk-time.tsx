import type { ReactNode } from 'react';
import type { RoomSessionInsight } from '../../types.ts';
import { texts } from '../texts/en.ts';
import { Figure } from './figure.tsx';
import { formatDuration } from './formats.ts';

type TalkTimeProps = {
  readonly talk: Pick<RoomSessionInsight, 'spokenSeconds' | 'spokenSource'>;
  readonly note?: ReactNode;
};

/** For how long somebody spoke. Its title says what tells so. */
export function TalkTime({ talk: { spokenSeconds, spokenSource }, note }: TalkTimeProps) {
  return (
    <Figure value={spokenSeconds} none={texts.common.none.told} note={note}>
      {(seconds) => (
        <span title={spokenSource ? texts.common.talkSources[spokenSource] : undefined}>{formatDuration(seconds)}</span>
      )}
    </Figure>
  );
}
