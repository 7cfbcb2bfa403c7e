import { measuredStack } from './measured-stack.ts';

// Measures the functions of the synthesized stack in the folder that is given, and sends the result to the parent process.

const [assembly = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
process.send?.(await measuredStack(assembly));
process.disconnect();
