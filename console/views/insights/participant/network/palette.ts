import { type RefObject, useEffect, useState } from 'react';
import { usePrinting } from '../../../../parts/page/use-printing.ts';

/** The tokens of the theme that charts are drawn with. */
const tokens = {
  text: '--text-soft',
  grid: '--border-soft',
  accent: '--accent',
  bad: '--bad',
  join: '--good',
  leave: '--text-soft',
  rating: '--warn',
  session: '--text',
  'series-1': '--series-1',
  'series-2': '--series-2',
  'series-3': '--series-3',
  'series-4': '--series-4',
  'series-5': '--series-5',
  'series-6': '--series-6',
} as const;

/** A colour of the theme by its use. */
export type ColorName = keyof typeof tokens;
/** The colours of the theme as a canvas takes them. */
export type Palette = Readonly<Record<ColorName, string>>;

/** The colours of the theme that the reader sees now, or those of paper. Undefined before they are known. */
export function usePalette(element: RefObject<HTMLElement | null>): Palette | undefined {
  const isPrinting = usePrinting();
  const [palette, setPalette] = useState<Palette>();
  useEffect(() => {
    const read = () => element.current && setPalette(readPalette(element.current, isPrinting));
    read();
    const system = matchMedia('(prefers-color-scheme: dark)');
    const switched = new MutationObserver(read);
    switched.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    system.addEventListener('change', read);
    return () => {
      switched.disconnect();
      system.removeEventListener('change', read);
    };
  }, [element, isPrinting]);
  return palette;
}

/** The browser computes the colour of an element, not that of a token. Paper has the light theme. */
function readPalette(parent: HTMLElement, isPrinting: boolean): Palette {
  const probe = document.createElement('span');
  if (isPrinting) probe.style.colorScheme = 'light';
  parent.append(probe);
  const colors = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colors);
}
