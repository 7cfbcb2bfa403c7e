import type { Spoken, SpokenLanguage, Transcript } from './transcript.ts';

/** These languages, each once with the sum of its seconds. The one that was spoken longest comes first. */
export function longestFirst(languages: readonly SpokenLanguage[]): SpokenLanguage[] {
  const seconds = new Map<string, number>();
  for (const each of languages) seconds.set(each.languageCode, (seconds.get(each.languageCode) ?? 0) + each.seconds);
  const summed = [...seconds].map(([languageCode, sum]) => ({ languageCode, seconds: sum }));
  return summed.toSorted((one, other) => other.seconds - one.seconds);
}

/** The language of what was heard in one or several files: the one that was spoken longest. All of them, if there are several. */
export function languagesOf(heard: readonly Spoken[]): Pick<Transcript, 'languageCode' | 'languages'> {
  const codes = longestFirst(heard.flatMap(languagesIn)).map(({ languageCode }) => languageCode);
  return { languageCode: codes[0] ?? null, ...(codes.length > 1 && { languages: codes }) };
}

/** The languages of one file. An engine that knows only one does not tell for how long it was spoken, so its words do. */
function languagesIn({ languageCode, languages = [], items }: Spoken): readonly SpokenLanguage[] {
  if (languages.length > 0) return languages;
  if (languageCode === null) return [];
  const words = items.filter(({ kind }) => kind === 'word');
  const seconds = words.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
  return [{ languageCode, seconds }];
}
