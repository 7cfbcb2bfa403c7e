import type { Resource } from '#tools/local/template/stack.ts';

type Bucket = Resource<'AWS::S3::Bucket'>;
type Rule = NonNullable<Bucket['properties']['CorsConfiguration']>['CorsRules'][number];

/** The parts of Fastify's request and reply that this module uses. */
type Request = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};
type Reply = {
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  send(body: string): unknown;
};

/** Answers browsers by the CORS rules of the buckets, as S3 does and fauxqs does not. */
export function bucketCors() {
  const rules = new Map<string, readonly Rule[]>();
  const ruleOf = ({ url, headers }: Request, method: string): Rule | undefined =>
    rules
      .get(/^\/([^/?]*)/.exec(url)?.[1] ?? '')
      ?.find(
        (rule) =>
          rule.AllowedOrigins.includes(String(headers.origin)) &&
          rule.AllowedMethods.includes(method) &&
          namesOf(headers['access-control-request-headers']).every((name) => rule.AllowedHeaders.includes(name)),
      );
  return {
    /** Takes the rules of the stack's buckets. Pages of the `ownOrigins` may also fetch the files behind links. */
    setRules(buckets: readonly Bucket[], ownOrigins: readonly string[] = []): void {
      for (const { name, properties } of buckets)
        rules.set(name, [...(properties.CorsConfiguration?.CorsRules ?? []), ruleFor(ownOrigins)]);
    },

    /** Answers a preflight. Returns true if it answered the request. */
    answerPreflight(request: Request, reply: Reply): boolean {
      const method = request.headers['access-control-request-method'];
      if (request.method !== 'OPTIONS' || method === undefined) return false;
      const rule = ruleOf(request, String(method));
      if (!rule) {
        const message = 'CORSResponse: This CORS request is not allowed.';
        reply.code(403).header('content-type', 'application/xml');
        reply.send(`<Error><Code>AccessForbidden</Code><Message>${message}</Message></Error>`);
        return true;
      }
      reply
        .header('access-control-allow-headers', rule.AllowedHeaders.join(', '))
        .header('access-control-max-age', String(rule.MaxAge));
      reply.send('');
      return true;
    },

    /** Adds the headers that let a page of an allowed origin read the answer. */
    addHeaders(request: Request, reply: Reply): void {
      const { origin, 'access-control-request-method': asked } = request.headers;
      const rule = origin === undefined ? undefined : ruleOf(request, String(asked ?? request.method));
      if (!rule) return;
      reply
        .header('access-control-allow-origin', String(origin))
        .header('access-control-allow-methods', rule.AllowedMethods.join(', '))
        .header('access-control-expose-headers', rule.ExposedHeaders.join(', '))
        .header('vary', 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method');
    },
  };
}

/** What the stack allows to the pages of `corsOrigins`. */
function ruleFor(origins: readonly string[]): Rule {
  return {
    AllowedOrigins: [...origins],
    AllowedMethods: ['GET', 'HEAD'],
    AllowedHeaders: ['range', 'if-range', 'if-none-match'],
    ExposedHeaders: ['content-disposition', 'content-range', 'accept-ranges', 'etag'],
    MaxAge: 3600,
  };
}

function namesOf(header: string | readonly string[] | undefined): string[] {
  const names = String(header ?? '').split(',');
  return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
}
