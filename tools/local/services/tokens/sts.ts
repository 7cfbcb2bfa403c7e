import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { accountId } from '#tools/shared/client-settings.ts';
import { guarded, readBody } from '../http.ts';
import { listen, type RunningServer, startAgain } from '../local-server.ts';

// A function that calls AssumeRole chains roles, which allows one hour at most.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles.html#iam-term-role-chaining
const [shortestSeconds, longestSeconds] = [900, 3600];

/** The port of STS, and the roles that exist. */
export type StsOptions = {
  readonly port: number;
  /** The roles that can be assumed. Others are refused. */
  readonly roleArns: readonly string[];
};

/** Serves AssumeRole of the STS Query protocol. The credentials state their real expiration. */
export async function startSts({ port, roleArns }: StsOptions): Promise<RunningServer> {
  const server = createServer(
    guarded(async (request, response) => {
      const body = await readBody(request, largestBodyBytes);
      const { status, xml } = body.complete
        ? answer(body.bytes, roleArns)
        : refusal(413, 'RequestEntityTooLarge', 'Too large.');
      response.writeHead(status, { 'content-type': 'text/xml' });
      response.end(xml);
    }),
  );
  return listen(server, port, { remedy: startAgain });
}

const largestBodyBytes = 100_000;

type Answer = { readonly status: number; readonly xml: string };

function answer(body: Buffer, roleArns: readonly string[]): Answer {
  const form = new URLSearchParams(body.toString('utf8'));
  if (form.get('Action') === 'AssumeRole') return assumeRole(form, roleArns);
  return refusal(400, 'InvalidAction', `The local STS supports AssumeRole only, not ${form.get('Action')}.`);
}

function assumeRole(form: URLSearchParams, roleArns: readonly string[]): Answer {
  const [roleArn, session] = [form.get('RoleArn') ?? '', form.get('RoleSessionName') ?? ''];
  const seconds = Number(form.get('DurationSeconds') ?? longestSeconds);
  if (!/^[\w+=,.@-]{2,64}$/.test(session)) return refusal(400, 'ValidationError', 'Invalid RoleSessionName.');
  if (!Number.isInteger(seconds) || seconds < shortestSeconds) {
    return refusal(400, 'ValidationError', `DurationSeconds must be at least ${shortestSeconds}.`);
  }
  if (seconds > longestSeconds) {
    const message = 'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining';
    return refusal(400, 'ValidationError', message);
  }
  if (!roleArns.includes(roleArn)) {
    return refusal(403, 'AccessDenied', `Not authorized to perform: sts:AssumeRole on resource: ${roleArn}`);
  }
  return { status: 200, xml: assumedRole(roleArn, session, new Date(Date.now() + seconds * 1000)) };
}

function assumedRole(roleArn: string, session: string, expiration: Date): string {
  return `<AssumeRoleResponse xmlns="${namespace}"><AssumeRoleResult>
  <AssumedRoleUser>
    <AssumedRoleId>AROALOCAL:${session}</AssumedRoleId>
    <Arn>arn:aws:sts::${accountId}:assumed-role/${roleArn.split('/').at(-1)}/${session}</Arn>
  </AssumedRoleUser>
  <Credentials>
    <AccessKeyId>${accessKeyId()}</AccessKeyId>
    <SecretAccessKey>${randomBytes(30).toString('base64')}</SecretAccessKey>
    <SessionToken>${randomBytes(180).toString('base64')}</SessionToken>
    <Expiration>${expiration.toISOString().replace(/\.\d+Z$/, 'Z')}</Expiration>
  </Credentials>
</AssumeRoleResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></AssumeRoleResponse>`;
}

const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/';

function accessKeyId(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return `ASIA${Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')}`;
}

function refusal(status: number, code: string, message: string): Answer {
  const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped}</Message></Error>`;
  const requestId = `<RequestId>${randomUUID()}</RequestId>`;
  return { status, xml: `<ErrorResponse xmlns="${namespace}">${error}${requestId}</ErrorResponse>` };
}
