import { copyFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { succeed } from '../support/client/run-program.ts';
import {
  isNewest,
  newestOazapfts,
  npmPackages,
  oapiCodegen,
  openapiGenerator,
  pythonPrograms,
  typescriptPackages,
} from './tools.ts';

/** A program that uses a generated client. It gets the world as JSON in its last argument. */
export type ClientProgram = { readonly program: string; readonly args: readonly string[]; readonly folder: string };

const description = path.resolve('docs/openapi.json');
const programs = path.resolve('test/clients');
const own = path.resolve('node_modules');

async function generate(folder: string, generator: string, properties: string, ...more: string[]): Promise<void> {
  const from = ['-jar', await openapiGenerator(), 'generate', '-q', '-i', description, '-g', generator, '-o', folder];
  await succeed('java', [...from, '--additional-properties', properties, ...more], { folder });
}

async function openapiGeneratorForPython(folder: string): Promise<ClientProgram> {
  const python = path.join(await pythonPrograms(), 'python');
  await generate(folder, 'python', 'packageName=roomscribe');
  await copyFile(path.join(programs, 'python/openapi_generator.py'), path.join(folder, 'main.py'));
  // Imports every module: some fail only when they are imported.
  const imports =
    'import pkgutil, importlib, roomscribe as r; [importlib.import_module(m.name) for m in pkgutil.walk_packages(r.__path__, "roomscribe.")]';
  await succeed(python, ['-c', imports], { folder });
  return { program: python, args: ['main.py'], folder };
}

async function openapiGeneratorForJava(folder: string): Promise<ClientProgram> {
  const packages = 'invokerPackage=roomscribe,apiPackage=roomscribe.api,modelPackage=roomscribe.model';
  // Without the flag it writes `List<…>.class` for a list in a union, which is no Java.
  await generate(folder, 'java', packages, '--library', 'native', '--generate-alias-as-model');
  await copyFile(path.join(programs, 'java/Main.java'), path.join(folder, 'src/main/java/roomscribe/Main.java'));
  const quick = ['-DskipTests', '-Dmaven.javadoc.skip', '-Dmaven.source.skip'];
  await succeed('mvn', ['-q', '-B', ...quick, 'package'], { folder });
  return { program: 'java', args: ['-cp', 'target/classes:target/lib/*', 'roomscribe.Main'], folder };
}

async function openapiPythonClient(folder: string): Promise<ClientProgram> {
  const bin = await pythonPrograms();
  await writeFile(path.join(folder, 'config.yaml'), 'post_hooks: []\n');
  const how = ['--meta', 'none', '--output-path', 'roomscribe', '--config', 'config.yaml', '--fail-on-warning'];
  await succeed(path.join(bin, 'openapi-python-client'), ['generate', '--path', description, ...how], { folder });
  await copyFile(path.join(programs, 'python/openapi_python_client.py'), path.join(folder, 'main.py'));
  return { program: path.join(bin, 'python'), args: ['main.py'], folder };
}

async function oapiCodegenForGo(folder: string): Promise<ClientProgram> {
  await cp(path.join(programs, 'go'), folder, { recursive: true });
  await mkdir(path.join(folder, 'roomscribe'));
  const how = ['-package', 'roomscribe', '-generate', 'types,client', '-o', 'roomscribe/client.go'];
  await succeed('go', ['run', oapiCodegen, ...how, description], { folder });
  await succeed('go', ['vet', './...'], { folder });
  await succeed('go', ['build', '-o', 'main', '.'], { folder });
  return { program: path.join(folder, 'main'), args: [], folder };
}

async function oazapfts(folder: string): Promise<ClientProgram> {
  const modules = isNewest ? await npmPackages('oazapfts', newestOazapfts) : own;
  await symlink(modules, path.join(folder, 'node_modules'));
  await succeed(
    path.join(modules, '.bin/oazapfts'),
    [description, 'api.ts', '--futureStripLegacyMethods', '--argumentStyle', 'object'],
    { folder },
  );
  return compiled(folder, 'oazapfts.ts', modules);
}

async function openapiTypescript(folder: string): Promise<ClientProgram> {
  const modules = await npmPackages('typescript', typescriptPackages);
  await symlink(modules, path.join(folder, 'node_modules'));
  await succeed(path.join(modules, '.bin/openapi-typescript'), [description, '-o', 'api.d.ts'], { folder });
  return compiled(folder, 'openapi-typescript.ts', modules);
}

/** Compiles a program in strict mode, as a careful user would. */
async function compiled(folder: string, file: string, modules: string): Promise<ClientProgram> {
  await copyFile(path.join(programs, 'typescript', file), path.join(folder, 'main.ts'));
  await writeFile(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: ['node'],
    skipLibCheck: true,
    rewriteRelativeImportExtensions: true,
    outDir: 'out',
    rootDir: '.',
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['main.ts'] }));
  await succeed(path.join(modules, '.bin/tsc'), [], { folder });
  return { program: process.execPath, args: ['out/main.js'], folder };
}

/** The clients by the name of their generator. Each function generates a client, compiles it, and returns the program. */
export const clients: Readonly<Record<string, (folder: string) => Promise<ClientProgram>>> = {
  'openapi-generator for Python': openapiGeneratorForPython,
  'openapi-generator for Java': openapiGeneratorForJava,
  'openapi-python-client': openapiPythonClient,
  'oapi-codegen for Go': oapiCodegenForGo,
  oazapfts,
  'openapi-typescript with openapi-fetch': openapiTypescript,
};
