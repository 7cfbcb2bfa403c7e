const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** What an address must be, if tokens and secrets would be sent to it unencrypted or if it is not an address. */
export function addressProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && thisMachine.test(url.hostname));
  if (url && isSafe && !url.username && !url.password && !url.search && !url.hash) return undefined;
  return 'must be an https URL without user, query or fragment. Only addresses of this machine can be http.';
}

/** Returns the address without a trailing slash. Throws a `TypeError` that names it if it has a problem. */
export function safeAddress(name: string, address: string): string {
  const problem = addressProblem(address);
  if (problem !== undefined) throw new TypeError(`${name} ${problem}`);
  return new URL(address).href.replace(/\/+$/, '');
}
