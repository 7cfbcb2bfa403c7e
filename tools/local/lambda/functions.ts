import { accountId, credentials, region } from '#tools/shared/client-settings.ts';
import { findFunction, type Stack, type StackFunction } from '../template/stack.ts';
import { FunctionHost } from './function-host.ts';
import { openFunctionLog } from './function-log.ts';
import type { Outcome } from './function-thread.ts';
import { placesOf } from './places.ts';
import type { Redirects } from './redirect-https.ts';

/** The functions of the stack, each with its own threads and log. */
export type Functions = {
  readonly invoke: (target: StackFunction, event: unknown) => Promise<Outcome>;
  /** Finds a function by the name of its folder. Throws an error that lists the known names. */
  readonly find: (name: string) => StackFunction;
  readonly stop: () => Promise<void>;
};

/** The URLs of the local services, for the SDK clients in the functions. The SDK's variables follow from the names. */
export type ServiceUrls = Readonly<
  Record<'dynamodb' | 'sqs' | 's3' | 'transcribe' | 'sts' | 'secretsManager' | 'eventbridge', string>
>;

/** The folders of the functions' logs, and of the code that their threads have compiled. */
type Folders = { readonly logs: string; readonly compiled: string };

/** The concurrency of an API function in the local runner. */
const apiConcurrency = 4;

/** Prepares every function of the stack. A thread starts with the first invocation that needs it. */
export function createFunctions(stack: Stack, urls: ServiceUrls, folders: Folders, redirects: Redirects): Functions {
  const hosts = new Map(stack.functions.map((each) => [each, hostOf(each, stack, urls, folders, redirects)] as const));
  return {
    invoke: (target, event) => {
      const host = hosts.get(target);
      if (!host) throw new Error(`${target.name} is not a function of this stack.`);
      return host.invoke(event);
    },
    find: (name) => {
      const found = stack.functions.find((each) => each.name === name);
      if (found) return found;
      const known = stack.functions.map((each) => each.name).join(', ');
      throw new Error(`There is no function ${name}. The functions are ${known}.`);
    },
    stop: async () => {
      await Promise.all([...hosts.values()].map((host) => host.stop()));
    },
  };
}

function hostOf(
  target: StackFunction,
  stack: Stack,
  urls: ServiceUrls,
  folders: Folders,
  redirects: Redirects,
): FunctionHost {
  const { Handler, MemorySize, Timeout } = target.properties;
  const sources = stack.eventSources.filter(
    ({ properties }) => findFunction(stack.functions, properties.FunctionName) === target,
  );
  const concurrencies = sources.map(({ properties }) => placesOf(properties.ScalingConfig.MaximumConcurrency, Timeout));
  const configuration = {
    name: target.name,
    arn: target.arn,
    codeFolder: target.codeFolder,
    handler: Handler,
    memorySizeMb: MemorySize,
    timeoutSeconds: Timeout,
    logGroupName: logGroupOf(target),
    maxConcurrency: concurrencies.length > 0 ? concurrencies.reduce((sum, one) => sum + one, 0) : apiConcurrency,
  };
  const environment = {
    NODE_COMPILE_CACHE: folders.compiled, // of the thread: the function does not see it
    ...environmentOf(target, urls),
  };
  return new FunctionHost({ ...configuration, environment, redirects }, openFunctionLog(folders.logs, target.name));
}

/** The environment of a function: what Lambda sets, the addresses of the local services, and what the stack sets. */
export function environmentOf(target: StackFunction, urls: ServiceUrls): Record<string, string> {
  return { ...lambdaEnvironment(target), ...endpointEnvironment(urls), ...target.properties.Environment.Variables };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
function lambdaEnvironment({ name, codeFolder, properties }: StackFunction): Record<string, string> {
  const { Handler, MemorySize } = properties;
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: logGroupOf({ name, properties }),
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_ACCOUNT_ID: accountId,
    LAMBDA_TASK_ROOT: codeFolder,
    _HANDLER: Handler,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
  };
}

function logGroupOf({ name, properties }: Pick<StackFunction, 'name' | 'properties'>): string {
  return properties.LoggingConfig.LogGroup ?? `/aws/lambda/${name}`;
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html */
function endpointEnvironment(urls: ServiceUrls): Record<string, string> {
  return Object.fromEntries(
    Object.entries(urls).map(([service, url]) => [`AWS_ENDPOINT_URL_${upperSnakeCase(service)}`, url]),
  );
}

function upperSnakeCase(service: string): string {
  return service.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}
