import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { stringifySearch } from '../../app/search.ts';
import type { ReadDocument } from './read-document.ts';
import { findMatches, matchFrom, momentOf, turnAt } from './turns.ts';

const route = getRouteApi('/transcript');

type Changes = {
  readonly [name in 'find' | 'match' | 'speaker' | 't']?: string | undefined;
};

/** What the reader sees of a transcript: its turns, and the matches of the searched text, as the address says. */
export type ReadingView = ReturnType<typeof useReading>;

/** Reads the address of a transcript, and changes it. */
export function useReading({ turns: all }: ReadDocument) {
  const search = route.useSearch();
  const { find = '', match, speaker, t } = search;
  const navigate = route.useNavigate();
  const turns = useMemo(
    () => (speaker === undefined ? all : all.filter((turn) => turn.speaker === speaker)),
    [all, speaker],
  );
  const matches = useMemo(() => findMatches(turns, find), [turns, find]);
  const moment = momentOf(t);
  const target = moment === undefined ? -1 : turnAt(turns, moment);
  const count = matches.turns.length;
  const asked = Number(match);
  const current = asked >= 1 && asked <= count ? Math.floor(asked) - 1 : matchFrom(matches, Math.max(0, target));
  const go = (changes: Changes) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true, resetScroll: false });
  /** The address of a moment. Relative, because the links of thousands of turns must cost little. */
  const linkTo = (seconds: number) => stringifySearch({ ...search, t: seconds });
  return { linkTo, turns, find, matches, current, isMatchAsked: match !== undefined, moment, target, speaker, go };
}
