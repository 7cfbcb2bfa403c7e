import { type JSDoc, type SourceFile, type Type, ts } from 'ts-morph';
import { type PropertyTexts, propertyTexts } from './property-texts.ts';

/** The name of a type, if it has one. */
type NameOf = (node: ts.TypeNode) => string | undefined;

const printer = ts.createPrinter();
const { factory, NodeBuilderFlags } = ts;
const inFull =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.InTypeAlias |
  NodeBuilderFlags.MultilineObjectLiterals |
  NodeBuilderFlags.UseSingleQuotesForStringLiteralType;
const longestLine = 120;
const noTexts: PropertyTexts = new Map();

/**
 * The exports of a module, with every type written out as plain TypeScript, so that the result imports nothing. A type that
 * is part of another one keeps its name. Properties get the texts of the API's description as comments.
 */
export function asPlainTypes(file: SourceFile): string {
  const program = file.getProject().getProgram().compilerObject;
  const checker = program.getTypeChecker();
  // Seen from another file, only exported types have a name; all others are written out.
  const elsewhere = program.getSourceFiles().find((each) => program.isSourceFileDefaultLibrary(each));
  const write = (node: ts.Node) => printer.printNode(ts.EmitHint.Unspecified, node, file.compilerNode);
  const nodeOf = (type: Type) => {
    const node = checker.typeToTypeNode(type.compilerType, elsewhere, inFull);
    if (!node) throw new Error(`${file.getBaseName()}: ${type.getText()} cannot be written out.`);
    return node;
  };
  const aliases = file.getTypeAliases().filter((alias) => alias.isExported());
  const names = new Map<string, string>();
  for (const alias of aliases) {
    const text = write(nodeOf(alias.getType()));
    if (/[|{]/.test(text) && !names.has(text)) names.set(text, alias.getName());
  }
  const exported = new Set(aliases.map((alias) => alias.getName()));
  const nameOf: NameOf = (node) => {
    if (!ts.isImportTypeNode(node)) return names.get(write(node));
    const name = node.qualifier && write(node.qualifier);
    if (name !== undefined && exported.has(name)) return name;
    throw new Error(`${file.getBaseName()} must also export ${name}, because an exported type contains it.`);
  };
  const plain = (type: Type, texts: PropertyTexts) => inLines(write(withParts(nodeOf(type), texts, nameOf)));

  const types = aliases.map((alias) => {
    const [name, type] = [alias.getName(), alias.getType()];
    return `${docsOf(alias.getJsDocs())}export type ${name} = ${plain(type, textsOf(type, propertyTexts(name)))};\n`;
  });
  const statements = file.getVariableStatements().filter((statement) => statement.isExported());
  const values = statements.flatMap((statement) =>
    statement.getDeclarations().map((declaration) => {
      const type = plain(declaration.getType(), noTexts);
      return `${docsOf(statement.getJsDocs())}export declare const ${declaration.getName()}: ${type};\n`;
    }),
  );
  return [...types, ...values].join('\n');
}

function docsOf(comments: readonly JSDoc[]): string {
  return comments.map((comment) => `${comment.getText()}\n`).join('');
}

/** The texts of the API's description, or else the comments of the code. */
function textsOf(type: Type, described: PropertyTexts): PropertyTexts {
  if (described.size > 0 || !type.isObject()) return described;
  const documented = type.getProperties().map(({ compilerSymbol: symbol }) => {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(undefined));
    return [symbol.name, { text, inner: noTexts }] as const;
  });
  return new Map(documented);
}

/** The type with its parts by name, and with its properties in the order and with the texts of the API's description. */
function withParts(type: ts.TypeNode, texts: PropertyTexts, nameOf: NameOf): ts.TypeNode {
  if (ts.isTypeLiteralNode(type)) {
    const members = type.members.map((member) => propertyOf(member, texts, nameOf));
    const order = [...texts.keys()];
    const placeOf = ({ name }: { readonly name: string }) =>
      order.includes(name) ? order.indexOf(name) : order.length;
    const sorted = members.toSorted((one, other) => placeOf(one) - placeOf(other));
    return factory.createTypeLiteralNode(sorted.map(({ node }) => node));
  }
  if (ts.isUnionTypeNode(type)) {
    const missing = type.types.filter(isMissing);
    const present = type.types.filter((each) => !isMissing(each));
    const whole = named(factory.createUnionTypeNode(present), nameOf);
    if (whole && missing.length > 0) return factory.createUnionTypeNode([whole, ...missing]);
  }
  const visit = (part: ts.Node) =>
    ts.isTypeNode(part) ? (named(part, nameOf) ?? withParts(part, texts, nameOf)) : part;
  return ts.visitEachChild(type, visit, undefined);
}

function named(type: ts.TypeNode, nameOf: NameOf): ts.TypeNode | undefined {
  const name = nameOf(ts.isParenthesizedTypeNode(type) ? type.type : type);
  return name === undefined ? undefined : factory.createTypeReferenceNode(name);
}

function isMissing(type: ts.TypeNode): boolean {
  const { kind } = ts.isLiteralTypeNode(type) ? type.literal : type;
  return kind === ts.SyntaxKind.NullKeyword || kind === ts.SyntaxKind.UndefinedKeyword;
}

function propertyOf(member: ts.TypeElement, texts: PropertyTexts, nameOf: NameOf) {
  if (!ts.isPropertySignature(member) || !isPlainName(member.name) || !member.type) {
    throw new Error('Only types made of plain properties can be written out.');
  }
  const name = member.name.text;
  const { text, inner = noTexts } = texts.get(name) ?? {};
  const type = named(member.type, nameOf) ?? withParts(member.type, inner, nameOf);
  const node = factory.updatePropertySignature(member, member.modifiers, member.name, member.questionToken, type);
  if (text) {
    const comment = `* ${text.replaceAll('*/', '*\\/')} `;
    ts.addSyntheticLeadingComment(node, ts.SyntaxKind.MultiLineCommentTrivia, comment, true);
  }
  return { name, node };
}

function isPlainName(name: ts.PropertyName): name is ts.Identifier | ts.StringLiteral {
  return ts.isIdentifier(name) || ts.isStringLiteral(name);
}

/** Breaks a union that is too long for a line into one line per member. */
function inLines(text: string): string {
  return text.replaceAll(/^( *)(?!\/\*\*).*$/gm, (line, indent: string) =>
    line.length > longestLine ? line.replaceAll(' | ', `\n${indent}    | `) : line,
  );
}
