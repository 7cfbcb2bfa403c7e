/** The views of the header, and those that are reached from each. */
export const sections = {
  rooms: ['/rooms', '/room', '/session', '/participant'],
  transcriptions: ['/transcriptions', '/transcript'],
  usage: ['/usage'],
  webhooks: ['/webhooks', '/webhook'],
} as const;

/** A view of the header. */
export type Section = keyof typeof sections;

/** All views of the header, in their order. */
export const sectionNames = Object.keys(sections) as Section[];

/** The view of the header to which a path belongs. Undefined for a path that is no view. */
export function sectionOf(path: string): Section | undefined {
  return sectionNames.find((section) => sections[section].some((each) => each === path));
}
