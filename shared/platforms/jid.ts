/** The parts of an address of XMPP. A part that is missing is empty. */
export type Jid = { readonly node: string; readonly host: string; readonly resource: string };

/** Splits `node@host/resource`. It takes any text. */
export function jidOf(text: string): Jid {
  const slash = text.indexOf('/');
  const bare = slash < 0 ? text : text.slice(0, slash);
  const at = bare.indexOf('@');
  return {
    node: at < 0 ? '' : bare.slice(0, at),
    host: bare.slice(at + 1),
    resource: slash < 0 ? '' : text.slice(slash + 1),
  };
}

/** The node, which Jitsi makes up for each connection of somebody without an account; or the whole text if there is none. */
export function nodeOf(text: string): string {
  return jidOf(text).node || text;
}
