type Name =
  | ('issuer' | 'roleClaim' | 'consoleClientId' | 'consoleTokenOrigin')
  | ('domainName' | 'consoleDomainName' | 'consoleCertificateArn' | 'zoneName');

/** The settings of the console, and those that can be in conflict with them. */
export type ConsoleValues = { readonly [name in Name]?: string | undefined } & {
  readonly console?: boolean | undefined;
};

/** Returns a sentence for each conflict between the settings of the console. `isSet` is false for a default. */
export function consoleConflicts(values: ConsoleValues, isSet: (name: string) => boolean): string[] {
  const rules = [...loginRules(values, isSet), ...domainRules(values)];
  return rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem);
}

type Rules = readonly (readonly [isBroken: boolean, problem: string])[];

/** Without a role, every token of an issuer is a machine's, and a machine may do everything. So people need a role from the start. */
function loginRules(values: ConsoleValues, isSet: (name: string) => boolean): Rules {
  const { issuer, roleClaim, consoleClientId, consoleTokenOrigin, console: hasConsole = false } = values;
  const hasIssuer = issuer !== undefined;
  const setsLogin = consoleClientId !== undefined || consoleTokenOrigin !== undefined || isSet('consoleScope');
  return [
    [
      !hasIssuer && (roleClaim !== undefined || setsLogin),
      '-c roleClaim, -c consoleClientId, -c consoleScope and -c consoleTokenOrigin describe the people of an issuer: give -c issuer too.',
    ],
    [
      hasIssuer && hasConsole && (roleClaim === undefined || consoleClientId === undefined),
      '-c console=true with -c issuer needs -c consoleClientId and -c roleClaim: people log in at your issuer, and the claim tells their role.',
    ],
    [
      hasIssuer && hasConsole && URL.parse(issuer)?.protocol !== 'https:',
      `-c console=true needs an issuer with https, not "${issuer}": the console reads where to log in from it.`,
    ],
    [
      !hasConsole && setsLogin,
      '-c consoleClientId, -c consoleScope and -c consoleTokenOrigin are for the login of the console: give -c console=true too.',
    ],
  ];
}

function domainRules({ console: hasConsole = false, ...values }: ConsoleValues): Rules {
  const { domainName, consoleDomainName, consoleCertificateArn, zoneName } = values;
  const namesDomain = consoleDomainName !== undefined || consoleCertificateArn !== undefined;
  return [
    [
      (consoleDomainName === undefined) !== (consoleCertificateArn === undefined),
      'A domain name for the console needs both -c consoleDomainName and -c consoleCertificateArn.',
    ],
    [namesDomain && !hasConsole, '-c consoleDomainName is the address of the console: give -c console=true too.'],
    [
      consoleDomainName !== undefined && consoleDomainName === domainName,
      '-c consoleDomainName and -c domainName are two addresses: choose another name for one of them.',
    ],
    [
      consoleDomainName !== undefined && zoneName !== undefined && !`.${consoleDomainName}`.endsWith(`.${zoneName}`),
      `-c consoleDomainName=${consoleDomainName} is not in the zone -c zoneName=${zoneName}.`,
    ],
  ];
}
