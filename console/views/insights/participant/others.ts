/** So many others can be compared with a participant. */
export const mostOthers = 5;

/** Reads the others of an address, without repetitions and without the participant. Ids can have commas: these are escaped. */
export function readOthers(text: string | undefined, ownId: string | undefined, most = mostOthers): string[] {
  const ids = (text ?? '').split(',').flatMap((part) => (part === '' ? [] : [unescaped(part)]));
  return [...new Set(ids)].filter((id) => id !== ownId).slice(0, most);
}

/** Writes the others for an address. */
export function writeOthers(ids: readonly string[]): string | undefined {
  return ids.length === 0 ? undefined : ids.map((id) => id.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
}

function unescaped(part: string): string {
  return part.replaceAll('%2C', ',').replaceAll('%25', '%');
}
