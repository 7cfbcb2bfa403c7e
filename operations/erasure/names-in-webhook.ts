/**
 * Fields whose texts name files, in any spelling: those that translators read (`filename`, `location`, `key`, `s3_key`), and others of the same
 * platforms. Names of rooms are texts with slashes, too, so the form of a text does not tell.
 */
const ofFiles =
  /^(?:file|fileresult|track)s?$|(?:filename|filepath|filenameprefix|playlistname|location|key)s?$|(?:download|recording|file)(?:url|link)s?$/;

/**
 * Says if a webhook names one of the ids: as a text, as the name of a field, as the first part of an XMPP address, as a number in a field of
 * ids, or as a part of a file name in a field of files. Recorders of single participants write the id into the names of their files.
 */
export function namesAny(payload: unknown, ids: ReadonlySet<string>, isOfFiles = false): boolean {
  if (typeof payload === 'string') return namesInText(payload, ids) || (isOfFiles && namesInPath(payload, ids));
  if (typeof payload !== 'object' || payload === null) return false;
  if (Array.isArray(payload)) return payload.some((each) => namesAny(each, ids, isOfFiles));
  return Object.entries(payload).some(
    ([name, value]) =>
      namesInText(name, ids) ||
      (typeof value === 'number' && /id$/i.test(name) && ids.has(String(value))) ||
      namesAny(value, ids, ofFiles.test(name.toLowerCase().replaceAll(/[_-]/g, ''))),
  );
}

/** An id can be the node of an XMPP address, or, of somebody who dialled in, the node with the resource. */
function namesInText(text: string, ids: ReadonlySet<string>): boolean {
  if (ids.has(text)) return true;
  const [, node, resource] = /^([^@/]+)@[^/]*(\/.*)?$/s.exec(text) ?? [];
  return node !== undefined && (ids.has(node) || (resource !== undefined && ids.has(`${node}${resource}`)));
}

function namesInPath(text: string, ids: ReadonlySet<string>): boolean {
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
