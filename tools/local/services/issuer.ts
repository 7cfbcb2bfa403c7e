import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { errorCode } from '../../shared/error-details.ts';
import { clientSecret } from '../../shared/token.ts';
import { answerJson, type Body, guarded, readBody } from './http.ts';
import { listen, type RunningServer, startAgain } from './local-server.ts';

const clientIdPattern = /^[A-Za-z0-9_-]{1,64}$/;
const lifeSeconds = 3600;
const tokenPath = '/oauth2/token';

/** The port of the issuer, its key file, and the user pool that it stands for. */
export type IssuerOptions = {
  readonly port: number;
  /** Stores the private key, so that tokens stay valid after a restart. */
  readonly keyFile: string;
  /** The `iss` claim of its tokens: the address of the user pool on AWS. */
  readonly issuer: string;
  /** The scope of its tokens. */
  readonly scope: string;
};

/** The local issuer, and its addresses. */
export type Issuer = RunningServer & { readonly issuer: string; readonly tokenUrl: string; readonly jwksUrl: string };

/**
 * Serves what the user pool of the stack serves on AWS: its public keys, and tokens by OAuth 2.0 client credentials. The client id
 * is the organization.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
export async function startIssuer({ port, keyFile, issuer, scope }: IssuerOptions): Promise<Issuer> {
  const privateJwk = await loadKey(keyFile);
  const privateKey = await importJWK(privateJwk, 'RS256');
  const { kty, n, e, kid } = privateJwk;
  const keys = { keys: [{ kty, n, e, kid, alg: 'RS256', use: 'sig' }] };
  const keysPath = `${new URL(issuer).pathname}/.well-known/jwks.json`;
  const sign = (clientId: string) =>
    new SignJWT({ client_id: clientId, token_use: 'access', scope, version: 2 })
      .setProtectedHeader({ alg: 'RS256', ...(kid !== undefined && { kid }) })
      .setIssuer(issuer)
      .setSubject(clientId)
      .setIssuedAt()
      .setExpirationTime(`${lifeSeconds}s`)
      .setJti(randomUUID())
      .sign(privateKey);

  const server = createServer(
    guarded(async (request, response) => {
      const route = `${request.method} ${request.url?.split('?')[0]}`;
      if (route === `GET ${keysPath}`) answerJson(response, 200, keys);
      else if (route === `POST ${tokenPath}`) await answerToken(request, response, { scope, sign });
      else answerJson(response, 404, { message: 'Not Found' });
    }),
  );
  const running = await listen(server, port, { remedy: startAgain });
  return { ...running, issuer, tokenUrl: `${running.url}${tokenPath}`, jwksUrl: `${running.url}${keysPath}` };
}

async function loadKey(file: string): Promise<JWK> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(privateKey);
    const key = { ...jwk, kid: await calculateJwkThumbprint(jwk) };
    await writeFile(file, JSON.stringify(key), { mode: 0o600 });
    return key;
  }
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
