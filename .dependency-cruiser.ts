import { builtinModules } from 'node:module';
import { Visitor } from '@swc/core/Visitor.js';
import type { DependencyType, ICruiseOptions, IRegularForbiddenRuleType } from 'dependency-cruiser';

// Which files may import which. `npm run check` applies this table with dependency-cruiser.

/** Files, and what they may import: each other, `may`, and from `types` nothing but types. */
type Part<Name extends string> = {
  /** A regular expression of paths from the root. */
  readonly files: string;
  readonly may: readonly (Name | keyof typeof outside)[];
  readonly types?: readonly (Name | keyof typeof outside)[];
  readonly why: string;
};

/** Imports from outside the parts. */
const outside = {
  node: `^(node:)?(${builtinModules.map((name) => name.replace('node:', '')).join('|')})$`,
  'pure node': '^(node:)?(util|crypto)$',
  zod: '^node_modules/zod/',
  aws: '^node_modules/(@aws-sdk|@smithy)/',
  cdk: '^node_modules/(aws-cdk-lib|constructs)/',
  packages: '^node_modules/(?!(zod|@aws-sdk|@smithy|aws-cdk-lib|constructs)/)',
  descriptions: '^docs/[^/]+\\.json$',
} as const;

const anyPackage = ['node', 'zod', 'packages'] as const;

/** Parts in order: a part imports only from earlier rows. */
export const parts = table({
  names: { files: '^shared/names\\.ts$', may: [], why: 'The stack and the functions share these names.' },
  'shown name': {
    files: '^shared/shown-name\\.ts$',
    may: [],
    why: 'Transcripts, corrections, erasure and the console show and compare names alike.',
  },
  errors: { files: '^shared/errors\\.ts$', may: [], why: 'Every part may throw these errors.' },
  env: { files: '^shared/env\\.ts$', may: ['names', 'zod'], why: 'It reads the environment and nothing else.' },
  contracts: {
    files: '^shared/contracts/',
    may: ['names', 'shown name', 'errors', 'zod'],
    why: 'Contracts are data that every part may read.',
  },
  'control flow': {
    files: '^shared/(retry|pace|chunk|time-left|ascii-json)\\.ts$',
    may: ['errors', 'node'],
    types: ['packages'],
    why: 'Retries, chunks, deadlines and the form of messages do not depend on what the service does.',
  },
  runtime: {
    files: '^shared/(logger|log-line|metrics|dependency-faults|zlib)\\.ts$',
    may: ['names', 'errors', 'env', 'aws', ...anyPackage],
    types: ['contracts'],
    why: 'Logs and metrics do not depend on what the service does.',
  },
  domain: {
    files: '^shared/domain/',
    may: ['shown name', 'errors', 'contracts', 'pure node'],
    why: 'The domain holds pure rules. Pass in what a rule needs.',
  },
  platforms: {
    files: '^shared/platforms/',
    may: ['errors', 'contracts', 'domain', 'pure node', 'zod', 'packages'],
    why: 'A platform is signatures and translations: pure functions of a request.',
  },
  'use cases': {
    files: '^shared/use-cases/',
    may: ['shown name', 'errors', 'control flow', 'contracts', 'domain', 'platforms', 'pure node'],
    why: 'A use case does I/O through its ports alone. Pass in their implementations.',
  },
  adapters: {
    files: '^shared/adapters/',
    may: ['names', 'errors', 'control flow', 'runtime', 'contracts', 'domain', 'aws', ...anyPackage],
    types: ['use cases'],
    why: 'Adapters implement the ports of use cases. Pass in what the environment holds.',
  },
  storage: {
    files: '^shared/storage/',
    may: ['names', 'errors', 'control flow', 'runtime', 'contracts', 'domain', 'adapters', 'aws', ...anyPackage],
    types: ['use cases'],
    why: 'Repositories implement the ports of use cases. Pass in what the environment holds.',
  },
  http: {
    files: '^shared/http/',
    may: ['errors', 'runtime', 'contracts', ...anyPackage],
    why: 'It turns any request into a call and does not depend on the domain or on AWS.',
  },
  queue: {
    files: '^shared/queue/',
    may: ['names', 'errors', 'control flow', 'runtime', 'contracts', 'aws', ...anyPackage],
    why: 'It turns any message into a call and does not depend on the domain.',
  },
  'shared wiring': {
    files: '^shared/(admission-from-env|correlated)\\.ts$',
    may: ['names', 'errors', 'env', 'runtime', 'contracts', 'domain', 'storage', 'http'],
    types: ['aws', 'use cases'],
    why: 'Several index.ts files share this wiring.',
  },
  'shared access': {
    files: '^shared/access\\.ts$',
    may: ['names'],
    why: 'It is data: access.ts files build on it.',
  },
  access: {
    files: '^functions/.+/access\\.ts$',
    may: ['names', 'contracts', 'shared access'],
    why: 'It is data: the stack reads from it which permissions the function needs.',
  },
  handlers: {
    files: '^functions/.+/(?!(index|access)\\.ts$)[^/]+$',
    may: [
      ...(['errors', 'control flow', 'runtime', 'contracts', 'domain', 'platforms', 'use cases'] as const),
      ...(['http', 'queue', ...anyPackage] as const),
    ],
    types: ['storage', 'adapters'],
    why: 'index.ts passes settings, clients, repositories and adapters to the handler.',
  },
  functions: {
    files: '^functions/.+/index\\.ts$',
    may: [
      ...([
        'names',
        'errors',
        'env',
        'runtime',
        'contracts',
        'domain',
        'platforms',
        'use cases',
        'adapters',
        'storage',
      ] as const),
      ...(['http', 'queue', 'shared wiring', 'handlers', 'descriptions', 'aws', ...anyPackage] as const),
    ],
    why: 'A function does not depend on the stack.',
  },
  'console serving': {
    files: '^client/console-serving/',
    may: ['node'],
    why: 'The command line and the local runner serve the built console in the same way.',
  },
  'client build': {
    files: '^client/build/',
    may: ['console serving', 'descriptions', ...anyPackage],
    why: 'The build reads the files of the client, and imports only where servers have the console.',
  },
  infra: {
    files: '^infra/',
    may: [
      ...([
        'names',
        'errors',
        'contracts',
        'shared access',
        'access',
        'console serving',
        'client build',
        'cdk',
      ] as const),
      ...anyPackage,
    ],
    why: 'The stack reads names, contracts and access. It runs no code of the functions.',
  },
  'client contract': {
    files: '^client/contract\\.ts$',
    may: ['contracts'],
    why: 'The build replaces this module with the plain data that it exports.',
  },
  'client types': {
    files: '^client/types\\.ts$',
    may: [],
    types: ['contracts', 'zod'],
    why: 'It infers types from the contract and leaves nothing at run time.',
  },
  client: {
    files: '^client/(?!(contract|types)\\.ts$)[^/]+$',
    may: ['client contract', 'client types'],
    why: 'The library runs in every browser and needs no package.',
  },
  'cli parameters': {
    files: '^client/cli/parameters\\.ts$',
    may: ['contracts', 'descriptions', ...anyPackage],
    why: 'The build replaces this module with the plain data that it exports.',
  },
  cli: {
    files: '^client/cli/(?!parameters\\.ts$)',
    may: [
      ...(['client', 'client contract', 'client types', 'cli parameters', 'console serving', 'descriptions'] as const),
      ...(['node', 'packages'] as const),
    ],
    why: 'The build bundles all that the command line imports. Take values of the contract from parameters.ts.',
  },
  'console contract': {
    files: '^client/console/contract\\.ts$',
    may: ['contracts'],
    why: 'The build replaces this module with the plain data that it exports.',
  },
  console: {
    files: '^client/console/(?!contract\\.ts$)',
    may: ['shown name', 'client', 'client types', 'console contract', 'packages'],
    why: 'The console is a page on the typed client. Take values of the contract from its contract.ts.',
  },
  'shared tools': {
    files: '^tools/shared/',
    may: ['names', 'errors', 'contracts', 'infra', 'aws', ...anyPackage],
    why: 'Every tool may import it.',
  },
  description: {
    files: '^tools/description/',
    may: ['names', 'errors', 'contracts', 'domain', 'shared tools', ...anyPackage],
    why: 'The descriptions come from the contract and the state machine.',
  },
  simulation: {
    files: '^tools/simulation/',
    may: ['names', 'errors', 'control flow', 'contracts', 'shared tools', 'aws', ...anyPackage],
    why: 'It counts the insights with its own code, which tests compare with the code of the service.',
  },
  operations: {
    files: '^tools/operations/',
    may: [
      ...(['names', 'shown name', 'errors', 'runtime', 'contracts', 'domain'] as const),
      ...(['platforms', 'use cases', 'adapters'] as const),
      ...(['storage', 'queue', 'infra', 'shared tools', 'aws', ...anyPackage] as const),
    ],
    why: 'Operators run these commands on a deployed stage, without the local runner and the simulation.',
  },
  'local protocol': {
    files: '^tools/local/(services/(aws-json|service-error)|transcribe/log)\\.ts$',
    may: [...anyPackage],
    why: 'Several local services speak the protocol of AWS.',
  },
  'local transcribe': {
    files: '^tools/local/transcribe/(?!log\\.ts$)',
    may: ['local protocol', 'aws', ...anyPackage],
    why: "Its rules are written from Amazon's documentation. A test compares them with those of the service.",
  },
  local: {
    files: '^tools/local/(?!transcribe/|services/(aws-json|service-error)\\.ts$)',
    may: [
      ...(['names', 'errors', 'contracts', 'infra', 'console serving', 'client build', 'shared tools'] as const),
      ...(['simulation', 'local protocol', 'local transcribe', 'aws', ...anyPackage] as const),
    ],
    why: 'The local runner runs the synthesized template and depends on nothing else of the service.',
  },
});

/** Files with no rule of their own: tests and the settings of tools. */
export const unrestricted = '^(test/|[^/]+$)';

function table<Name extends string>(rows: { readonly [name in Name]: Part<NoInfer<Name>> }) {
  return rows;
}

const typesOnly: DependencyType[] = ['type-only', 'type-import'];

function patterns(names: readonly (keyof typeof parts | keyof typeof outside)[]): string[] {
  return names.map((name) =>
    name in outside ? outside[name as keyof typeof outside] : parts[name as keyof typeof parts].files,
  );
}

function rule(
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IRegularForbiddenRuleType {
  return { name, comment, severity: 'error', from, to };
}

/** The table as rules of dependency-cruiser, and the two rules that are about all parts. */
export const forbidden: IRegularForbiddenRuleType[] = [
  ...Object.entries<Part<keyof typeof parts>>(parts).flatMap(([name, { files, may, types = [], why }]) => [
    rule(name, why, { path: files }, { pathNot: [files, ...patterns(may), ...patterns(types)] }),
    ...(types.length === 0
      ? []
      : [rule(`${name}, types only`, why, { path: files }, { path: patterns(types), dependencyTypesNot: typesOnly })]),
  ]),
  rule(
    'one function',
    'A function never imports another. Move what two functions need to shared/.',
    { path: '^functions/(.+)/[^/]+$' },
    { path: '^functions/', pathNot: '^functions/$1/[^/]+$' },
  ),
  rule('no circle', 'Modules that import each other cannot be read or loaded one by one.', {}, { circular: true }),
];

// swc's visitor, with which dependency-cruiser finds imports, throws on a `using` declaration. It is visited as a `const`.
const { visitStatement } = Visitor.prototype;
Visitor.prototype.visitStatement = function (statement: { type: string; decls?: unknown }) {
  const { decls } = statement;
  const known =
    statement.type === 'UsingDeclaration' ? { type: 'VariableDeclaration', declarations: decls } : statement;
  return visitStatement.call(this, known as Parameters<typeof visitStatement>[0]);
};

/** How the files are read. */
export const options: ICruiseOptions = {
  parser: 'swc', // dependency-cruiser does not support TypeScript 7
  doNotFollow: { path: '^node_modules/' },
  // ./api.* are the clients that `npm run generated-clients` makes: programs in test/clients import them.
  // An example is a program of its own, with its own packages.
  exclude: { path: ['^(cdk\\.out|coverage|dist|examples|\\.[^/]+)/', '^\\./api(\\.d)?\\.ts$'] },
  enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
};

export default { forbidden, options };
