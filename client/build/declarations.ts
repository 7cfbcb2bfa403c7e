import { Project, type SourceFile } from 'ts-morph';
import { entryPoints } from './bundles.ts';
import { asPlainTypes } from './plain-types.ts';

/** The modules whose types are inferred from the contract's schemas. The package has these types written out. */
const inferred: readonly string[] = ['types.ts', 'contract.ts'];

/** The library's declarations by file name. They import only each other, and no schema. */
export function declarations(root: string): ReadonlyMap<string, string> {
  const folder = `${root}client/`;
  const project = new Project({
    tsConfigFilePath: `${root}tsconfig.json`,
    skipAddingFilesFromTsConfig: true,
    compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true },
  });
  for (const name of Object.values(entryPoints)) project.addSourceFileAtPath(`${folder}${name}.ts`);
  project.resolveSourceFileDependencies();
  const own = project.getSourceFiles().filter((file) => `${file.getDirectoryPath()}/` === folder);
  const plain = new Map(
    own.filter(isInferred).map((file) => [file.getBaseNameWithoutExtension(), asPlainTypes(file)] as const),
  );
  for (const file of own) {
    file.replaceWithText(plain.get(file.getBaseNameWithoutExtension()) ?? file.getFullText());
    nameOutputs(file);
  }
  const problems = project.getPreEmitDiagnostics();
  if (problems.length > 0) throw new Error(project.formatDiagnosticsWithColorAndContext(problems));
  return new Map(
    own.map((file) => {
      const name = file.getBaseNameWithoutExtension();
      const [emitted] = file.getEmitOutput({ emitOnlyDtsFiles: true }).getOutputFiles();
      return [`${name}.d.ts`, plain.get(name) ?? emitted?.getText() ?? ''];
    }),
  );
}

function isInferred(file: SourceFile): boolean {
  return inferred.includes(file.getBaseName());
}

/** Makes imports and exports name the emitted .js files. */
function nameOutputs(file: SourceFile): void {
  for (const statement of [...file.getImportDeclarations(), ...file.getExportDeclarations()]) {
    const from = statement.getModuleSpecifierValue();
    if (from !== undefined) statement.setModuleSpecifier(from.replace(/\.ts$/, '.js'));
  }
}
