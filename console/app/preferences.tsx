import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { Zone } from '../parts/zone.ts';

/** What the reader prefers in this browser: colours, and the zone of times. */
export type Preferences = { readonly theme: 'system' | 'light' | 'dark'; readonly zone: Zone };

type Changeable = Preferences & { readonly change: (changes: Partial<Preferences>) => void };

const storageKey = 'roomscribe.preferences';
const defaults: Preferences = { theme: 'system', zone: 'local' };

const Context = createContext<Changeable>({ ...defaults, change: () => {} });

/** Reads the preferences of this browser, and keeps what the reader changes. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [preferences, setPreferences] = useState(readPreferences);
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (preferences.theme === 'system') delete dataset.theme;
    else dataset.theme = preferences.theme;
    keepPreferences(preferences);
  }, [preferences]);
  const value = useMemo<Changeable>(
    () => ({ ...preferences, change: (changes) => setPreferences((before) => ({ ...before, ...changes })) }),
    [preferences],
  );
  return <Context value={value}>{children}</Context>;
}

/** The reader's preferences, and a function that changes them. */
export function usePreferences(): Changeable {
  return useContext(Context);
}

/** A browser may allow no storage, or have none left. The preferences then last as long as the page. */
function keepPreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(preferences));
  } catch {
    // nothing that the reader could do
  }
}

function readPreferences(): Preferences {
  try {
    const { theme, zone } = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return {
      theme: theme === 'light' || theme === 'dark' ? theme : 'system',
      zone: zone === 'utc' ? 'utc' : 'local',
    };
  } catch {
    return defaults;
  }
}
