import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { functionAccess } from '../functions/function-access.ts';
import { queueWorkers } from '../functions/workers.ts';
import { type ConsoleValues, consoleConflicts } from './console-conflicts.ts';

type NumberName = 'sampleRetentionDays' | 'factRetentionDays' | 'roomEventsBatchSize' | 'roomEventsBatchWindowSeconds';

type DomainName = 'domainName' | 'certificateArn' | 'hostedZoneId' | 'zoneName';

/** The settings that can be in conflict. */
type Values = ConsoleValues & { readonly [name in DomainName]?: string | undefined } & {
  readonly [name in NumberName]?: number | undefined;
} & {
  readonly reservedConcurrency?: Readonly<Record<string, number>> | undefined;
  readonly customerManagedKey?: string | boolean | undefined;
};

/** https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html#lambda-CreateEventSourceMapping-request-BatchSize */
const largestBatchWithoutWindow = 10;

/**
 * Returns a sentence for each conflict between settings that are valid on their own. `isSet` is false for a default. `region` is
 * that of the deployment, if it is known.
 */
export function settingConflicts(values: Values, isSet: (name: string) => boolean, region?: string): string[] {
  const { issuer, domainName, certificateArn, hostedZoneId, zoneName, sampleRetentionDays, factRetentionDays } = values;
  const { roomEventsBatchSize = 0, roomEventsBatchWindowSeconds } = values;
  const configuresTokens = ['audience', 'organizationClaim'].some(isSet);
  const hasDomain = domainName !== undefined && certificateArn !== undefined;
  const namesDomain = [domainName, certificateArn].some((value) => value !== undefined);
  const namesZone = [hostedZoneId, zoneName].some((value) => value !== undefined);
  const needsDomain = namesDomain || (namesZone && values.consoleDomainName === undefined);
  const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
    [
      issuer === undefined && configuresTokens,
      '-c audience and -c organizationClaim describe the tokens of an issuer: give -c issuer too.',
    ],
    [needsDomain && !hasDomain, 'A custom domain needs both -c domainName and -c certificateArn.'],
    [
      (hostedZoneId === undefined) !== (zoneName === undefined),
      '-c hostedZoneId and -c zoneName name one zone together: give both, or neither.',
    ],
    [
      hasDomain && zoneName !== undefined && !`.${domainName}`.endsWith(`.${zoneName}`),
      `-c domainName=${domainName} is not in the zone -c zoneName=${zoneName}.`,
    ],
    [
      sampleRetentionDays !== undefined && factRetentionDays !== undefined && sampleRetentionDays > factRetentionDays,
      `-c sampleRetentionDays=${sampleRetentionDays} is more than -c factRetentionDays=${factRetentionDays}: insights show samples only with their facts.`,
    ],
    [
      roomEventsBatchSize > largestBatchWithoutWindow && roomEventsBatchWindowSeconds === 0,
      `-c roomEventsBatchSize=${roomEventsBatchSize} needs -c roomEventsBatchWindowSeconds of at least 1: without a window, Lambda allows at most ${largestBatchWithoutWindow}.`,
    ],
  ];
  const broken = rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem);
  return [
    ...broken,
    ...consoleConflicts(values, isSet),
    ...foreignRegions(values, region),
    ...concurrencyProblems(values.reservedConcurrency ?? {}, issuer !== undefined),
  ];
}

/** CloudFormation would find out only in the middle of a deployment. */
function foreignRegions(values: Values, region: string | undefined): string[] {
  return (['certificateArn', 'customerManagedKey'] as const).flatMap((name) => {
    const [, , , named = region] = String(values[name]).split(':');
    return region === undefined || named === region
      ? []
      : `-c ${name} is in ${named}, and the stack in ${region}: give the ARN of one in the same region.`;
  });
}

/** SQS would deliver to a worker with less than its maximum concurrency, and count each refusal as a failed attempt. */
function concurrencyProblems(reserved: Readonly<Record<string, number>>, hasOwnIssuer: boolean): string[] {
  const names: readonly string[] = [
    ...Object.keys(functionAccess),
    ...publicEndpointList.map((each) => each.operationId),
  ];
  return Object.entries(reserved).flatMap(([name, count]) => {
    const most = queueWorkers.find((worker) => worker.name === name)?.maxConcurrency ?? 1;
    if (!names.includes(name))
      return `-c reservedConcurrency names ${name}, which is not a function. The functions are ${names.join(', ')}.`;
    if (name === 'authorize-request' && hasOwnIssuer)
      return `-c reservedConcurrency names ${name}, which this stage does not have: with -c issuer, the gateway checks tokens itself.`;
    return count < most
      ? `-c reservedConcurrency=${name}=${count} is less than the ${most} invocations that its queue starts at once.`
      : [];
  });
}
