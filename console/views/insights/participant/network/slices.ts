/** Longer pieces of work make the page stutter: a frame has 16 milliseconds. */
const sliceMs = 10;
let sliceBegan = 0;

/** Lets the browser answer the reader if this piece of work has become long. Call it between the steps of longer work. */
export async function inSlices(): Promise<void> {
  if (performance.now() - sliceBegan > sliceMs) await inPieces();
}

/** Ends this piece of work, and goes on in the next one. */
export async function inPieces(): Promise<void> {
  await new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel(); // unlike timers, it has no least delay
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
  sliceBegan = performance.now();
}
