/** Names and addresses of the machine itself, as `URL` writes them. */
const loopback = /^(localhost|127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]|0\.0\.0\.0|\[::\])$/;
const usualPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** True if a URL names the host and port of the API. A webhook there would tell the service of its own notices. False for what is no URL. */
export function isOwnAddress(url: string, apiUrl: string): boolean {
  return URL.canParse(url) && originOf(url) === originOf(apiUrl);
}

/** Host and port, without the dot that ends a full host name, and with one name for this machine. */
function originOf(text: string): string {
  const { hostname, port, protocol } = new URL(text);
  const host = hostname.replace(/\.$/, '');
  return `${loopback.test(host) ? 'localhost' : host}:${port || usualPorts[protocol]}`;
}
