/**
 * Says if a webhook names one of the ids: as a text, as the name of a field, as the first part of an XMPP address, as a number in a field of
 * ids, or as a part of a file name. Recorders of single participants write the id into the names of their files.
 */
export function namesAny(payload: unknown, ids: ReadonlySet<string>): boolean {
  if (typeof payload === 'string') return namesInText(payload, ids);
  if (typeof payload !== 'object' || payload === null) return false;
  return Object.entries(payload).some(
    ([name, value]) =>
      (!Array.isArray(payload) && namesInText(name, ids)) ||
      (typeof value === 'number' && /id$/i.test(name) && ids.has(String(value))) ||
      namesAny(value, ids),
  );
}

function namesInText(text: string, ids: ReadonlySet<string>): boolean {
  const [node = text] = /^[^@/]+(?=@)/.exec(text) ?? [];
  if (ids.has(text) || ids.has(node)) return true;
  if (!text.includes('/') && !/\.[a-z]\w*$/i.test(text)) return false;
  const path = text.replace(/^\w+:\/\/[^/]*/, '');
  return [path, decoded(path)].some((each) => [...ids].some((id) => hasPart(each, id)));
}

/** True if the id is in the path, between separators. `ada` is in `acme/ada-TR_1.ogg`, and not in `acme/adamant-TR_1.ogg`. */
function hasPart(path: string, id: string): boolean {
  if (id === '') return false; // it would be found without end
  for (let at = path.indexOf(id); at >= 0; at = path.indexOf(id, at + 1)) {
    const [before, after] = [path[at - 1], path[at + id.length]];
    if ((before === undefined || '/-_'.includes(before)) && (after === undefined || '/-_.'.includes(after)))
      return true;
  }
  return false;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
