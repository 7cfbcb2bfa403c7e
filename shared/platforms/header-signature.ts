/** The elements of a header such as `t=1768471200,v1=<signature>`. Base64 ends with `=`, so only the first `=` of an element separates. */
export function elementsOf(header: string | undefined): readonly (readonly [name: string, value: string])[] {
  return (header ?? '').split(',').map((element) => {
    const [name = '', ...rest] = element.trim().split('=');
    return [name.trim(), rest.join('=').trim()] as const;
  });
}

/** True if a time in whole seconds is at most this far from now, in either direction. False for anything else than a time. */
export function isRecent(seconds: string, now: Date, toleranceMs: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() - Number(seconds) * 1000) <= toleranceMs;
}
