/** Texts of the view webhooks. */
export const webhooks = {
  title: 'Webhooks',
} as const;
