import { answerMs } from '../sign-in/config.ts';
import { readTab, writeTab } from '../sign-in/tab-storage.ts';

/** Loads the page again if the server has it, or else the browser's own error would come. Returns if it does. */
export async function loadAgain(isWanted: (page: string) => boolean = () => true): Promise<boolean> {
  const request = { cache: 'no-store', signal: AbortSignal.timeout(answerMs) } as const;
  const page = await fetch(import.meta.env.BASE_URL, request)
    .then((answer) => answer.text())
    .catch(() => '');
  const isLoading = page.includes(`src="${import.meta.env.BASE_URL}`) && isWanted(page);
  if (isLoading) location.reload();
  return isLoading;
}

/** Does so if the server's page has another script. A tab leaves each version once: what comes may be the same. */
export async function loadNewVersion(): Promise<void> {
  const script = document.querySelector(`script[type=module][src^="${import.meta.env.BASE_URL}"]`);
  const entry = script?.getAttribute('src');
  const left = readTab<readonly string[]>('left') ?? [];
  if (!entry || left.includes(entry)) return;
  await loadAgain((page) => {
    const isNew = !page.includes(`"${entry}"`);
    if (isNew) writeTab('left', [...left, entry]);
    return isNew;
  });
}
