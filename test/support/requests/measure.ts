import { rmSync } from 'node:fs';
import { makeDataFolder } from '../data-folder.ts';
import { measuredStack } from './measured-stack.ts';

// Measures the functions of the synthesized stack in the folder that is given, and sends the result to the parent process.

const [assembly = ''] = process.argv.slice(2);
const dataDir = await makeDataFolder('roomscribe-requests-');
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
process.on('disconnect', () => process.exit()); // the parent was killed
process.send?.(await measuredStack(assembly, dataDir));
process.disconnect();
