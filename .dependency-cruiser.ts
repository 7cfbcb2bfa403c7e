import { Visitor } from '@swc/core/Visitor.js';
import type { DependencyType, ICruiseOptions, IRegularForbiddenRuleType } from 'dependency-cruiser';

// Which files may import which. `npm run check` applies these rules with dependency-cruiser.

/** Layers from the lowest to the highest: a file imports its own layer and lower ones. */
const layers = [
  'shared/runtime/',
  'shared/contracts/',
  'shared/(http|queue)/',
  'shared/domain/',
  'shared/platforms/',
  'shared/use-cases/',
  'shared/adapters/',
  'shared/storage/',
  'functions/',
  '(client|console)/',
  'infra/',
  'tools/shared/',
  'operations/',
  'tools/(?!shared/)',
  'test/',
];

/** Features in their order: inside the layers, a file imports its own feature and earlier ones. */
const features = [
  'common',
  'organization',
  'media',
  'notices',
  'transcript',
  'insights',
  'speakers',
  'transcriptions',
  'links',
  'platforms',
  'webhooks',
];

const typesOnly: DependencyType[] = ['type-only', 'type-import'];
const runsAnywhere = '^shared/runtime/(errors|names|shown-name)\\.ts$';
const controlFlow = '^shared/runtime/(retry|pace|chunk|time-left|ascii-json)\\.ts$';
const zod = '^node_modules/zod/';
const pureNode = '^(node:)?(util|crypto)$';
const contractValues = '^(client/(contract|types|cli/parameters)|console/contract)\\.ts$';
const serving = '^console/serving/';

function rule(
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IRegularForbiddenRuleType {
  return { name, comment, severity: 'error', from, to };
}

/** The rules. */
export const forbidden: IRegularForbiddenRuleType[] = [
  ...layers.slice(0, -1).map((layer, index) =>
    rule(
      'layers',
      'A file imports its own layer and lower ones. Logs may name types of the contract.',
      { path: `^${layer}` },
      {
        path: layers.slice(index + 1).map((higher) => `^${higher}`),
        ...(index === 0 && { dependencyTypesNot: typesOnly }),
      },
    ),
  ),
  ...features.slice(0, -1).map((feature, index) =>
    rule(
      'features',
      'A feature imports earlier ones. Contracts are data that every feature may read; index.ts wires what it needs.',
      {
        path: `^(shared/(contracts|domain|use-cases|adapters|storage)|functions/(api|workers))/${feature}/`,
        pathNot: '^functions/.+/index\\.ts$',
      },
      {
        path: `^shared/(domain|use-cases|adapters|storage)/(${features.slice(index + 1).join('|')})/`,
      },
    ),
  ),
  rule(
    'one function',
    'A function never imports another. Move what two functions need to shared/.',
    { path: '^functions/(api|workers|authorizers)/(.+)/[^/]+$' },
    { path: '^functions/', pathNot: ['^functions/$1/$2/[^/]+$', '^functions/wiring/'] },
  ),
  rule('no circle', 'Modules that import each other cannot be read or loaded one by one.', {}, { circular: true }),
  rule(
    'contracts are data',
    'Clients, tools and the stack read contracts.',
    { path: '^shared/contracts/' },
    { pathNot: ['^shared/contracts/', runsAnywhere, zod] },
  ),
  rule(
    'pure rules',
    'The domain decides, and use cases reach stores through their ports alone. Pass in what they need.',
    { path: '^shared/(domain|use-cases)/' },
    { pathNot: ['^shared/(contracts|domain|platforms|use-cases)/', runsAnywhere, controlFlow, pureNode] },
  ),
  rule(
    'platforms',
    'A platform is signatures and translations: pure functions of a request.',
    { path: '^shared/platforms/' },
    {
      path: ['^shared/', '^node_modules/(@aws-sdk|@smithy)/', '^(node:)?(fs|http|https|net|child_process|process)'],
      pathNot: ['^shared/(contracts|domain|platforms)/', runsAnywhere],
    },
  ),
  rule(
    'handlers',
    'index.ts passes settings, clients, repositories and adapters to the handler.',
    { path: '^functions/(api|workers)/.+/(?!(index|access)\\.ts$)[^/]+$' },
    {
      path: ['^shared/(adapters|storage)/', '^shared/runtime/env\\.ts$', '^node_modules/(@aws-sdk|@smithy)/'],
      dependencyTypesNot: typesOnly,
    },
  ),
  rule(
    'access is data',
    'The stack reads from access.ts which permissions the function needs.',
    { path: '^functions/.+/access\\.ts$' },
    { pathNot: ['^shared/runtime/(names|access)\\.ts$', '^shared/contracts/'] },
  ),
  rule(
    'client library',
    'The library runs in every browser and needs no package.',
    { path: '^client/[^/]+$', pathNot: contractValues },
    { pathNot: ['^client/[^/]+$'] },
  ),
  rule(
    'contract values',
    'The build replaces these modules with the plain data that they export.',
    { path: contractValues },
    { path: '^shared/', pathNot: '^shared/contracts/' },
  ),
  rule(
    'command line and console',
    'They are programs on the typed client. Take values of the contract from contract.ts and parameters.ts.',
    { path: '^(client/(cli|build)|console)/', pathNot: contractValues },
    { path: '^shared/', pathNot: '^shared/runtime/shown-name\\.ts$' },
  ),
  rule(
    'serving',
    'The command line and the local runner serve the built console in the same way.',
    { path: serving },
    {
      path: '^(shared|functions|client|console|infra|operations|tools|node_modules)/',
      pathNot: [serving, '^node_modules/@types/'],
    },
  ),
  rule(
    'infra',
    'The stack reads names, contracts and access. It runs no code of the functions.',
    { path: '^infra/' },
    {
      path: ['^shared/', '^functions/', '^(client|console)/'],
      pathNot: [
        '^shared/runtime/(names|errors|access)\\.ts$',
        '^shared/contracts/',
        '^functions/.+/access\\.ts$',
        '^client/build/',
        serving,
      ],
    },
  ),
  rule(
    'independent of the service',
    'The local runner runs the template, and the simulation counts with its own code: neither runs code of the service.',
    { path: '^tools/(local|simulation)/' },
    {
      path: ['^shared/', '^functions/', '^operations/'],
      pathNot: [runsAnywhere, controlFlow, '^shared/contracts/'],
    },
  ),
  rule(
    'independent of the service',
    "The rules of the local Transcribe are written from Amazon's documentation. A test compares them with the service's.",
    { path: '^tools/local/transcribe/' },
    { path: ['^shared/', '^infra/', '^operations/'] },
  ),
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
