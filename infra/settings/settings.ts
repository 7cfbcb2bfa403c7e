import { isIP } from 'node:net';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod/mini';
import { RoleName } from '#shared/contracts/insights/session-events.ts';

// The kinds of values that a setting of a stage can have. Each schema reads the text of a `-c` option, and its message
// continues a sentence that begins with the name of the option.

/** Reads a whole number within the limits. */
export function wholeNumber(
  what: string,
  { fewest, most = Number.MAX_SAFE_INTEGER }: { fewest: number; most?: number },
) {
  const isAllowed = (value: number) => Number.isSafeInteger(value) && value >= fewest && value <= most;
  return z.pipe(
    z.coerce.string().check(z.refine((value) => isAllowed(Number(value)), must(`be a whole number ${what}`))),
    z.transform(Number),
  );
}

/** Reads a number of days for which data are kept. */
export function days(fewest: number) {
  const most = 36_500;
  return wholeNumber(`of days from ${fewest} to ${most}`, { fewest, most });
}

/** Reads one of the listed values. */
export function oneOf<const Value extends string | number | boolean>(values: readonly Value[], what?: string) {
  const byText = new Map(values.map((value) => [String(value), value]));
  const { error } = must(what ?? `be one of ${values.join(', ')}`);
  return z.pipe(
    z.coerce.string(),
    z.transform((text, { issues }) => {
      const value = byText.get(text);
      if (value !== undefined) return value;
      issues.push({ code: 'custom', message: error({ input: text }), input: text });
      return z.NEVER;
    }),
  );
}

/** Any text. */
export const text = z.coerce.string();

/** An e-mail address. SNS accepts any text here, and would not deliver alarms to an invalid address. */
export const emailAddress = z.coerce
  .string()
  .check(z.refine((value) => z.email().safeParse(value).success, must('be an e-mail address')));

/** The address of a web site or a folder of it, without a slash at the end. */
export const webAddress = z.coerce
  .string()
  .check(
    z.refine(
      (value) => URL.parse(value)?.href.replace(/\/$/, '') === value && /^https:[^?#\s]*[^/]$/.test(value),
      must(
        'be an address such as https://github.com/your-company/roomscribe, with https and without a slash at the end',
      ),
    ),
  );

/** A commit, tag or branch of git. */
export const gitReference = z.coerce
  .string()
  .check(z.refine((value) => /^[\w.-]+(\/[\w.-]+)*$/.test(value), must('be a commit, tag or branch')));

/** A number of days for which CloudWatch Logs can keep a log. "Forever" is not allowed. */
export const logDays = oneOf(
  Object.values(RetentionDays).filter(
    (value): value is RetentionDays => typeof value === 'number' && value !== RetentionDays.INFINITE,
  ),
);

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const domain = new RegExp(`^(${label}\\.)+${label}$`);

/** A domain name in lower case. */
export const domainName = z.coerce
  .string()
  .check(
    z.refine(
      (value) => domain.test(value) && value.length <= 253 && isIP(value) === 0,
      must('be a domain name in lower case such as api.example.com'),
    ),
  );

/** The ARN of a certificate in AWS Certificate Manager. */
export const certificateArn = z.coerce
  .string()
  .check(
    z.refine(
      (value) => /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/.test(value),
      must('be the ARN of an ACM certificate'),
    ),
  );

/** The ARN of a certificate for CloudFront, which reads certificates in one region only. */
export const cloudFrontCertificateArn = z.coerce
  .string()
  .check(
    z.refine(
      (value) => /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(value),
      must('be the ARN of an ACM certificate in us-east-1, the region in which CloudFront reads certificates'),
    ),
  );

/** An origin of a server elsewhere, exactly as browsers send it. */
export const httpsOrigin = z.coerce
  .string()
  .check(
    z.refine(
      (value) => isOrigin(value) && value.startsWith('https:'),
      must('be an origin such as https://id.example.com, with https and without a path'),
    ),
  );

/** Scopes of OAuth 2.0, as RFC 6749 writes them. */
export const scopeList = z.coerce
  .string()
  .check(
    z.refine(
      (value) => /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(value),
      must('be scopes with one space between them'),
    ),
  );

/** Whether the stack creates a KMS key, or the ARN of a key that exists. An alias has no place in a policy. */
export const keyOrArn = z.pipe(
  z.coerce
    .string()
    .check(
      z.refine(
        (value) =>
          /^(true|false|arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/(mrk-[0-9a-f]{32}|[0-9a-f-]{36}))$/.test(value),
        must('be true, false or the ARN of a KMS key'),
      ),
    ),
  z.transform((value: string) => (value === 'true' || value === 'false' ? value === 'true' : value)),
);

/** A comma-separated list of origins, each exactly as browsers send it. */
export const corsOrigins = listOf(
  isOrigin,
  must(
    'list origins such as https://app.example.com, with commas between them and no path',
    'http is allowed for localhost only, and "*" is not allowed.',
  ),
);

/** A comma-separated list of ARNs of IAM roles, users and accounts. A principal can act for every organization, so wildcards are not allowed. */
export const principalArns = listOf(
  (arn) => /^arn:aws[a-z-]*:iam::\d{12}:(root|(role|user)\/[\w+=,.@/-]+)$/.test(arn),
  must('be ARNs of roles, users or accounts with commas between them'),
);

/** Roles that a stage can set. Environment variables of a function have 4 KB together, and a role can take 192 bytes. */
export const mostRoles = 10;

/** A comma-separated list of roles, each as a platform may send it. A space at an end is more likely a mistake than part of a role. */
export const roleNames = listOf(
  (role) => RoleName.safeParse(role).success && role.trim() === role,
  must(`be up to ${mostRoles} roles of 1 to 64 characters, with commas and no spaces between them`),
  mostRoles,
);

/** A comma-separated list of tags. AWS reserves names that begin with `aws:`. */
export const tagList = z.pipe(
  listOf(
    (tag) => /^(?!aws:)[\w .:/+@-]{1,128}=[\w .:/=+@-]{0,256}$/i.test(tag),
    must('be tags such as owner=video-team, with commas between them'),
  ),
  z.transform((tags: string[]) =>
    Object.fromEntries(tags.map((tag) => [tag.split('=', 1)[0], tag.slice(tag.indexOf('=') + 1)])),
  ),
);

/** A comma-separated list of function names with a number each, such as `finish-transcription=20`. */
export const concurrencyList = z.pipe(
  listOf(
    (item) => /^[a-z-]+=[1-9]\d{0,4}$/.test(item),
    must('be functions with a number each, such as finish-transcription=20, with commas between them'),
  ),
  z.transform((items: string[]) =>
    Object.fromEntries(items.map((item) => item.split('=')).map(([name = '', count]) => [name, Number(count)])),
  ),
);

function listOf(isItem: (item: string) => boolean, params: ReturnType<typeof must>, most = Number.MAX_SAFE_INTEGER) {
  return z.pipe(
    z.coerce.string(),
    z.pipe(
      z.transform((list: string) => list.split(',')),
      z.array(z.string().check(z.refine(isItem, params))).check(z.maxLength(most, params)),
    ),
  );
}

/** The end of the sentence that tells what is allowed and which value was given. */
function must(what: string, hint?: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      `must ${what}, not "${input}".${hint === undefined ? '' : ` ${hint}`}`,
  };
}

/** True for an origin as browsers send it, without a path. http is for this machine only. */
export function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  // `origin` has no path, no default port and no capital letter, so anything else in the text makes both differ.
  if (url?.origin !== value || value.includes('*')) return false;
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
  );
}
