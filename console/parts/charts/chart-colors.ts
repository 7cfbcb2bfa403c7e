import { useMemo, useSyncExternalStore } from 'react';
import { usePreferences } from '../../app/preferences.tsx';
import { usePrinting } from '../page/use-printing.ts';

const tokens = ['surface', 'border', 'border-soft', 'text', 'text-soft', 'series-1', 'series-2', 'series-3'] as const;
/** A token of the theme that charts use. */
export type ChartToken = (typeof tokens)[number];
/** The colours of the theme, as a canvas takes them. */
export type ChartColors = { readonly [token in ChartToken]: string };

/** The colours of the theme that the reader sees now, or of the light one on paper. A chart must be drawn again when they change. */
export function useChartColors(): ChartColors {
  const { theme } = usePreferences();
  const isPrinting = usePrinting();
  const isSystemDark = useSyncExternalStore(subscribe, () => systemDark.matches);
  const system = isSystemDark ? 'dark' : 'light';
  const scheme = isPrinting ? 'light' : theme === 'system' ? system : theme;
  return useMemo(() => readColors(scheme), [scheme]);
}

const systemDark = matchMedia('(prefers-color-scheme: dark)');

function subscribe(listener: () => void): () => void {
  systemDark.addEventListener('change', listener);
  return () => systemDark.removeEventListener('change', listener);
}

/** A token can be `light-dark()`, of which only the style of an element tells the value, in the theme that the page has at that moment. */
function readColors(scheme: 'light' | 'dark'): ChartColors {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = scheme;
  const probe = document.createElement('span');
  document.body.append(probe);
  const entries = tokens.map((token) => {
    probe.style.color = `var(--${token})`;
    return [token, getComputedStyle(probe).color];
  });
  probe.remove();
  if (theme === undefined) delete dataset.theme;
  else dataset.theme = theme;
  return Object.fromEntries(entries) as ChartColors;
}
