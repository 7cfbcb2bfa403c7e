import { useEffect } from 'react';
import { texts } from '../texts/en.ts';
import { shownName } from './name-text.tsx';

/** Names the page, for the browser's history and for screen readers. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${shownName(title)} – ${texts.common.product}`;
  }, [title]);
}
