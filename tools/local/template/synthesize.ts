import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { readFlatTemplate } from './flatten.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** The parts of a CloudFormation template that this runner reads. */
export type Template = z.infer<typeof Template>;
const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Condition: z.string().optional(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      Metadata: z
        .object({ 'aws:cdk:path': z.string().optional(), 'aws:asset:path': z.string().optional() })
        .default({}),
    }),
  ),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}),
  Parameters: z.record(z.string(), z.object({ Default: z.string().optional() })).default({}),
});

const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({ type: z.string(), properties: z.object({ templateFile: z.string().optional() }).optional() }),
  ),
});

/**
 * A synthesized stack: its template, with the resources of its nested stacks, and the folder that holds the code of its
 * functions.
 */
export type Assembly = { readonly stackName: string; readonly template: Template; readonly folder: string };

/** The output folder and the CDK context of a synthesis. */
export type SynthesisOptions = {
  readonly outputFolder: string;
  readonly context: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

/** Synthesizes the stack with CDK in a separate process. Empties the output folder first. */
export async function synthesize({ outputFolder, context, signal }: SynthesisOptions): Promise<Assembly> {
  await rm(outputFolder, { recursive: true, force: true });
  await mkdir(outputFolder, { recursive: true });
  // The bundles are CommonJS, as on Lambda. Without this file the "type": "module" of the project would apply to them.
  await writeFile(path.join(outputFolder, 'package.json'), '{}\n');
  const consoleFolder = path.join(outputFolder, 'console');
  await mkdir(path.join(consoleFolder, 'assets'), { recursive: true });
  await writeFile(path.join(consoleFolder, 'index.html'), ''); // CloudFront would serve it, which does not run here
  await promisify(execFile)(process.execPath, ['infra/app.ts'], {
    cwd: projectRoot,
    signal,
    env: {
      ...process.env,
      CDK_OUTDIR: outputFolder,
      CONSOLE_FOLDER: consoleFolder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...tracing }),
      CDK_VALIDATION: 'false', // it takes longer than the rest, and `cdk synth` does it
    },
  });
  return readAssembly(outputFolder);
}

/**
 * Makes CDK write into the template the construct path of each resource, and the file of each function's code and of
 * each nested stack.
 */
const tracing = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };

/** Reads an app with one stack and its nested stacks from the folder that CDK wrote. */
export async function readAssembly(folder: string): Promise<Assembly> {
  const manifest = Manifest.parse(await readJson(path.join(folder, 'manifest.json')));
  const stacks = Object.entries(manifest.artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
  const [stackName, stack] = stacks[0] ?? [];
  if (stackName === undefined || stacks.length > 1) {
    throw new Error(`The app in ${folder} has ${stacks.length} stacks. The local runner needs exactly one.`);
  }
  const templateFile = stack?.properties?.templateFile ?? `${stackName}.template.json`;
  return { stackName, folder, template: Template.parse(readFlatTemplate(folder, templateFile)) };
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}
