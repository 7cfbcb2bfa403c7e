import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Puts `roomscribe` into a folder `bin` of this folder, as a command that runs this program; returns the folder, for a PATH. */
export async function roomscribeOnPath(folder: string, program: readonly string[]): Promise<string> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const command = path.join(bin, 'roomscribe');
  await writeFile(command, `#!/bin/sh\nexec "${program.join('" "')}" "$@"\n`);
  await chmod(command, 0o755);
  return bin;
}
