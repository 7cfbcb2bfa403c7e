/** Tells on a stream how far something is. */
export function openProgress(stream: NodeJS.WriteStream): { show(text: string): void; stop(): void } {
  let shown = '';
  return {
    show(text) {
      if (text !== shown) stream.write(`${text}\n`);
      shown = text;
    },
    stop() {},
  };
}
