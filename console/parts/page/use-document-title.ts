import { useEffect } from 'react';
import { texts } from '../../texts/en.ts';
import { markedName } from '../name-text.tsx';

/** Names the page, for the browser's history and for screen readers. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${markedName(title)} – ${texts.common.product}`;
  }, [title]);
}
