import { isIP } from 'node:net';

/** The name under which the API is reached, instead of the one that the gateway gives it. */
export type CustomDomain = {
  readonly domainName: string;
  /** An ACM certificate for it, in the stack's own region. */
  readonly certificateArn: string;
  /** The Route 53 zone in which the stack makes the name's record; without one somebody else makes it. */
  readonly hostedZone?: { readonly hostedZoneId: string; readonly zoneName: string };
};

type Context = (key: string) => string | undefined;

/** The domain that the context gives, or else the stage's. What does not go together is an error that says so. */
export function customDomain(usual: CustomDomain | undefined, context: Context): { customDomain?: CustomDomain } {
  const [domainName, certificateArn] = [context('domainName'), context('certificateArn')];
  const [hostedZoneId, zoneName] = [context('hostedZoneId'), context('zoneName')];
  const isGiven = [domainName, certificateArn, hostedZoneId, zoneName].some((value) => value !== undefined);
  if (!isGiven) return usual ? { customDomain: usual } : {};
  if (domainName === undefined || certificateArn === undefined)
    throw new Error('A custom domain needs both -c domainName and -c certificateArn.');
  if ((hostedZoneId === undefined) !== (zoneName === undefined))
    throw new Error('-c hostedZoneId and -c zoneName name one zone together: give both, or neither.');
  assertDomain('domainName', domainName);
  assertCertificate(certificateArn);
  if (hostedZoneId === undefined || zoneName === undefined) return { customDomain: { domainName, certificateArn } };
  assertDomain('zoneName', zoneName);
  if (domainName !== zoneName && !domainName.endsWith(`.${zoneName}`))
    throw new Error(`-c domainName=${domainName} is not in the zone -c zoneName=${zoneName}.`);
  return { customDomain: { domainName, certificateArn, hostedZone: { hostedZoneId, zoneName } } };
}

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const domain = new RegExp(`^(${label}\\.)+${label}$`);

function assertDomain(key: string, value: string): void {
  if (domain.test(value) && value.length <= 253 && isIP(value) === 0) return;
  throw new Error(`-c ${key} must be a domain name in lower case such as api.example.com, not "${value}".`);
}

function assertCertificate(value: string): void {
  if (/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/.test(value)) return;
  throw new Error(`-c certificateArn must be the ARN of an ACM certificate, not "${value}".`);
}

/** Origins of a comma-separated list, exactly as browsers send them. */
export function corsOrigins(option: string, value: string): readonly string[] {
  return value.split(',').map((origin) => {
    if (isOrigin(origin)) return origin;
    throw new Error(
      `${option} must list origins such as https://app.example.com, with commas between them and no path, not "${origin}". ` +
        'http is for localhost alone, and "*" for nobody.',
    );
  });
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url?.origin !== text || text.includes('*')) return false; // as written: lower case, no path, no port that goes without saying
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
  );
}
