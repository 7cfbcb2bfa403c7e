import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { personTokenMinutes } from '#shared/contracts/organization/person.ts';
import { clientSecret } from '#tools/shared/token.ts';
import { answerJson, type Body, guarded, readBody } from '../http.ts';
import { listen, type RunningServer, startAgain } from '../local-server.ts';
import { openPool, type Pool, type PoolOptions } from './issuer-pool.ts';

const clientIdPattern = /^[A-Za-z0-9_-]{1,64}$/;
const lifeSeconds = 3600;
const tokenPath = '/oauth2/token';
const personTokenPath = '/people/token';

/** The port of the issuer, and the user pools that it stands for. */
export type IssuerOptions = PoolOptions & {
  readonly port: number;
  /** The pool of people and its client, if the stage has a console. */
  readonly people?: (PoolOptions & { readonly clientId: string }) | undefined;
};

/** The local issuer, and its addresses. */
export type Issuer = RunningServer & {
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly jwksUrl: string;
  /** Where tests get tokens of people, if the stage has a console. */
  readonly people?: { readonly issuer: string; readonly clientId: string; readonly tokenUrl: string } | undefined;
};

/**
 * Serves what the user pools of the stack serve on AWS: their public keys, and tokens by OAuth 2.0 client credentials. The client id
 * is the organization. A token of a person needs no login here: the request names the person and the groups.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
export async function startIssuer({ port, people, ...machines }: IssuerOptions): Promise<Issuer> {
  const pool = await openPool(machines);
  const peoplePool = people && (await openPool(people));
  const sign = (clientId: string) => pool.sign(clientId, { client_id: clientId }, lifeSeconds);
  const keysAt = new Map([pool, ...(peoplePool ? [peoplePool] : [])].map(({ keysPath, keys }) => [keysPath, keys]));

  const server = createServer(
    guarded(async (request, response) => {
      const path = String(request.url?.split('?')[0]);
      const keys = keysAt.get(path);
      const route = `${request.method} ${path}`;
      if (request.method === 'GET' && keys) answerJson(response, 200, keys);
      else if (route === `POST ${tokenPath}`) await answerToken(request, response, { scope: machines.scope, sign });
      else if (peoplePool && route === `POST ${personTokenPath}`)
        await answerPersonToken(request, response, peoplePool, people.clientId);
      else answerJson(response, 404, { message: 'Not Found' });
    }),
  );
  const running = await listen(server, port, { remedy: startAgain });
  return {
    ...running,
    issuer: machines.issuer,
    tokenUrl: `${running.url}${tokenPath}`,
    jwksUrl: `${running.url}${pool.keysPath}`,
    people: people && {
      issuer: people.issuer,
      clientId: people.clientId,
      tokenUrl: `${running.url}${personTokenPath}`,
    },
  };
}

/** Returns a token with the claims that Cognito gives to a person after the login: `person_id`, and each `group` of the form. */
async function answerPersonToken(
  request: IncomingMessage,
  response: ServerResponse,
  pool: Pool,
  clientId: string,
): Promise<void> {
  const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };
  const form = formOf(request, await readBody(request, 10_000));
  const personId = form?.get('person_id');
  if (!form || !personId) return answerJson(response, 400, { error: 'invalid_request' }, noStore);
  const groups = form.getAll('group');
  const claims = { client_id: clientId, username: personId, ...(groups.length > 0 && { 'cognito:groups': groups }) };
  const life = personTokenMinutes * 60;
  const token = { access_token: await pool.sign(personId, claims, life), token_type: 'Bearer', expires_in: life };
  return answerJson(response, 200, token, noStore);
}

/** Returns a token, or an error of RFC 6749 section 5.2. */
async function answerToken(
  request: IncomingMessage,
  response: ServerResponse,
  { scope, sign }: { readonly scope: string; readonly sign: (clientId: string) => Promise<string> },
): Promise<void> {
  const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };
  const body = await readBody(request, 10_000);
  const form = formOf(request, body);
  const client = clientOf(request, form);
  if (!form || client === 'ambiguous') return answerJson(response, 400, { error: 'invalid_request' }, noStore);
  if (!client || !clientIdPattern.test(client.id) || client.secret !== clientSecret) {
    const challenge = { ...noStore, 'www-authenticate': 'Basic realm="roomscribe"' };
    return answerJson(response, 401, { error: 'invalid_client' }, challenge);
  }
  const grants = form.getAll('grant_type');
  if (grants.length !== 1) return answerJson(response, 400, { error: 'invalid_request' }, noStore);
  if (grants[0] !== 'client_credentials')
    return answerJson(response, 400, { error: 'unsupported_grant_type' }, noStore);
  if (form.getAll('scope').some((asked) => asked !== scope))
    return answerJson(response, 400, { error: 'invalid_scope' }, noStore);
  const token = { access_token: await sign(client.id), token_type: 'Bearer', expires_in: lifeSeconds };
  return answerJson(response, 200, token, noStore);
}

function formOf(request: IncomingMessage, body: Body): URLSearchParams | undefined {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
  return isForm && body.complete ? new URLSearchParams(body.bytes.toString('utf8')) : undefined;
}

type Client = { readonly id: string; readonly secret: string };

/** The credentials of the Basic header or of the body. Both at once are ambiguous (RFC 6749 section 2.3). */
function clientOf(request: IncomingMessage, form: URLSearchParams | undefined): Client | 'ambiguous' | undefined {
  const basic = /^basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const [ids, secrets] = [form?.getAll('client_id') ?? [], form?.getAll('client_secret') ?? []];
  if (ids.length > 1 || secrets.length > 1 || (basic !== undefined && secrets.length > 0)) return 'ambiguous';
  if (basic !== undefined) {
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
    return { id: formDecoded(id), secret: formDecoded(secret) };
  }
  const [id, secret] = [ids[0], secrets[0]];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Decodes an id or secret: both are form-encoded in the Basic header (RFC 6749 section 2.3.1). */
function formDecoded(text: string): string {
  return new URLSearchParams(`text=${text.replaceAll('&', '%26')}`).get('text') ?? '';
}
