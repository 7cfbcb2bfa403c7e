import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Creates a command `roomscribe` in the subfolder `bin` that runs this program. Returns the subfolder for a PATH. */
export async function roomscribeOnPath(folder: string, program: readonly string[]): Promise<string> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const command = path.join(bin, 'roomscribe');
  await writeFile(command, `#!/bin/sh\nexec "${program.join('" "')}" "$@"\n`);
  await chmod(command, 0o755);
  return bin;
}
