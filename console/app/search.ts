/** The search parameters of an address, as texts. A parameter that occurs twice counts once. */
export type Search = Readonly<Record<string, string | undefined>>;

/** Reads the search parameters of an address. All of them are texts. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes search parameters. Those that are empty or undefined are left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** Takes the parameters of a view out of an address, and leaves out all others. */
export function only<const Name extends string>(...names: readonly Name[]) {
  return (search: Readonly<Record<string, unknown>>): { readonly [name in Name]?: string | undefined } => {
    const known = names.filter((name) => typeof search[name] === 'string' && search[name] !== '');
    return Object.fromEntries(known.map((name) => [name, search[name]])) as {
      readonly [name in Name]?: string | undefined;
    };
  };
}
