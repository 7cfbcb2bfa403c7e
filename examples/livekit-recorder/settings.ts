/** A setting of the environment. Throws if it is missing. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}. README.md explains it.`);
  return value;
}
