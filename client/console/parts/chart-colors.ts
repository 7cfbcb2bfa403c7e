import { useEffect, useState } from 'react';
import { usePreferences } from '../app/preferences.tsx';

const tokens = ['surface', 'border', 'border-soft', 'text', 'text-soft', 'series-1', 'series-2', 'series-3'] as const;
/** A token of the theme that charts use. */
export type ChartToken = (typeof tokens)[number];
/** The colours of the theme, as a canvas takes them. */
export type ChartColors = { readonly [token in ChartToken]: string };

/** The colours of the theme that the reader sees now. They change with the theme, and a chart must be drawn again. */
export function useChartColors(): ChartColors {
  const { theme } = usePreferences();
  const [colors, setColors] = useState(readColors);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new theme has other colours
  useEffect(() => {
    const read = () => setColors(readColors());
    read();
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', read);
    return () => system.removeEventListener('change', read);
  }, [theme]);
  return colors;
}

/** A token can be `light-dark()`, of which only the style of an element tells the value. */
function readColors(): ChartColors {
  const probe = document.createElement('span');
  document.body.append(probe);
  const entries = tokens.map((token) => {
    probe.style.color = `var(--${token})`;
    return [token, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(entries) as ChartColors;
}
