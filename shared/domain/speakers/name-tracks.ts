import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { SessionPeople } from '../insights/session/session-people.ts';
import type { Voice } from '../transcript/speakers.ts';
import { namesOf } from './participant-names.ts';

/**
 * One of the voices that speak into a microphone, or on a channel of a mixed file, which has no `input`. `voice` counts from 1, and is
 * undefined if it is the only one.
 */
export type TrackVoice = {
  readonly speaker: string;
  readonly participantId: string;
  readonly input?: 'microphone' | 'screen' | undefined;
  readonly voice?: number | undefined;
};

/**
 * Names the voices of tracks after the participants whose microphones they spoke into. Who has no name keeps the name of the speaker.
 */
export function nameTracks(
  voices: readonly TrackVoice[],
  turns: readonly Turn[],
  { stays }: Pick<SessionPeople, 'stays'>,
): Voice[] {
  const nameOf = namesOf(stays, turns);
  return voices.map(({ speaker, participantId, input, voice }) => {
    const name = nameOf(participantId, speaker);
    const displayName = name === undefined ? speaker : `${name}${screenOf(input)}${numberOf(voice)}`;
    const source = input ? 'track' : 'channel';
    return { speaker, participantId, displayName, source, confidence: 1, ...(input && { input }) };
  });
}

function screenOf(input: TrackVoice['input']): string {
  return input === 'screen' ? ' (screen)' : '';
}

function numberOf(voice: number | undefined): string {
  return voice === undefined ? '' : `, speaker ${voice}`;
}
