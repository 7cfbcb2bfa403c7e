/** Not built yet. */
export const handler = async (): Promise<void> => {};
