/** The settings that can be in conflict. */
type Values = {
  readonly [name in 'issuer' | 'domainName' | 'certificateArn' | 'hostedZoneId' | 'zoneName']?: string | undefined;
} & { readonly [name in 'sampleRetentionDays' | 'factRetentionDays']?: number | undefined };

/** Returns a sentence for each conflict between settings that are valid on their own. `isSet` is false for a default. */
export function settingConflicts(values: Values, isSet: (name: string) => boolean): string[] {
  const { issuer, domainName, certificateArn, hostedZoneId, zoneName, sampleRetentionDays, factRetentionDays } = values;
  const configuresTokens = ['audience', 'organizationClaim'].some(isSet);
  const hasDomain = domainName !== undefined && certificateArn !== undefined;
  const namesDomain = [domainName, certificateArn, hostedZoneId, zoneName].some((value) => value !== undefined);
  const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
    [
      issuer === undefined && configuresTokens,
      '-c audience and -c organizationClaim describe the tokens of an issuer: give -c issuer too.',
    ],
    [namesDomain && !hasDomain, 'A custom domain needs both -c domainName and -c certificateArn.'],
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
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem);
}
