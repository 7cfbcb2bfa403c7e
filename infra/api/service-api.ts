import { Duration, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  type HttpRoute,
  type HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Endpoint, PublicEndpoint, SelfAuthenticatedEndpoint } from '#shared/contracts/common/endpoint.ts';
import { type Access, rateLimitAccess } from '#shared/runtime/access.ts';
import { envNames } from '#shared/runtime/names.ts';
import { functionFolder } from '../bundling/bundling.ts';
import { endpointLimits } from '../functions/endpoint-limits.ts';
import { ServiceFunction, type ServiceFunctionProps } from '../functions/service-function.ts';
import { ServiceLogs } from '../functions/service-logs.ts';
import { corsFor } from '../settings/cors.ts';
import type { StageConfig } from '../settings/stages.ts';
import type { ServiceResources } from '../storage/service-resources.ts';
import { ApiDomain } from './api-domain.ts';

/** The endpoints of the contract, and the resources of their functions. */
export type ServiceApiProps = {
  readonly endpoints: readonly (Endpoint & { readonly access: Access })[];
  readonly selfAuthenticatedEndpoints: readonly (SelfAuthenticatedEndpoint & { readonly access: Access })[];
  readonly publicEndpoints: readonly PublicEndpoint[];
  /** Returns the nested stack for the functions of a tag. */
  readonly areaOf: (tag: Endpoint['tag']) => Construct;
  /** Authorizes requests of `endpoints`, which take an access token. */
  readonly authorizer: IHttpRouteAuthorizer;
  /** Name of the token claim that contains the organization id. */
  readonly organizationClaim: string;
  readonly resources: ServiceResources;
  readonly config: StageConfig;
};

/**
 * The HTTP API: one route and one function for each endpoint, and one authorizer for all endpoints that take an access token.
 * The functions are in nested stacks, the routes are not. So a function can move to another stack without a new route.
 */
export class ServiceApi extends Construct {
  readonly api: HttpApi;
  /** Base URL for clients. */
  readonly url: string;
  /** One line for each call, including calls that the gateway refuses. */
  readonly accessLog: LogGroup;
  readonly #areaOf: ServiceApiProps['areaOf'];

  constructor(scope: Construct, id: string, props: ServiceApiProps) {
    super(scope, id);
    const { endpoints, selfAuthenticatedEndpoints, publicEndpoints } = props;
    const { authorizer, organizationClaim, resources, config } = props;
    this.#areaOf = props.areaOf;
    this.api = new HttpApi(this, 'HttpApi', {
      description: 'Roomscribe: transcripts and usage insights for video rooms',
      createDefaultStage: false, // created below, with throttling
      defaultAuthorizer: authorizer,
      ...(config.corsOrigins.length > 0 && { corsPreflight: corsFor(config.corsOrigins) }),
      disableExecuteApiEndpoint: config.customDomain !== undefined, // the custom domain is the only address
    });
    const domain = config.customDomain && new ApiDomain(this, 'Domain', config.customDomain).domain;
    this.url = config.customDomain ? `https://${config.customDomain.domainName}` : this.api.apiEndpoint;
    this.accessLog = new ServiceLogs(this, 'AccessLog', config);
    const { requestsPerSecond, burst } = config.throttling;
    const stage = this.api.addStage('DefaultStage', {
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: requestsPerSecond, burstLimit: burst },
      ...(domain && { domainMapping: { domainName: domain } }),
      accessLogSettings: { destination: new LogGroupLogDestination(this.accessLog), format: accessLogFormat },
    });
    const withFunction = { resources, config, timeout: apiTimeout };
    for (const endpoint of endpoints) {
      const environment = {
        [envNames.organizationClaim]: organizationClaim,
        [envNames.rateLimitPointsPerMinute]: String(config.rateLimitPointsPerMinute),
        [envNames.personPointsPerMinute]: String(config.personPointsPerMinute),
        ...personClaims(config),
        ...(endpoint.access.linksToApi && { [envNames.apiUrl]: this.url }),
      };
      this.addEndpoint(endpoint, { ...withFunction, access: withRateLimit(endpoint.access), environment });
    }
    const throttles: RouteThrottle[] = [];
    for (const endpoint of selfAuthenticatedEndpoints) {
      const access = withRateLimit(endpoint.access);
      const environment = endpoint.access.linksToApi && { [envNames.apiUrl]: this.url };
      const withAccess = { ...withFunction, access, ...(environment && { environment }) };
      const routes = this.addEndpoint(endpoint, withAccess, new HttpNoneAuthorizer());
      acknowledgeOpen(routes, 'The function authenticates every request before it does any work.');
      if (endpoint.routeThrottle) throttles.push({ endpoint, routes, ...endpoint.routeThrottle });
    }
    for (const endpoint of publicEndpoints) {
      const routes = this.addEndpoint(endpoint, { ...withFunction, access: {} }, new HttpNoneAuthorizer());
      acknowledgeOpen(
        routes,
        'Public on purpose: the answer is the same for everybody, and the function has no AWS permissions.',
      );
      throttles.push({ endpoint, routes, ...publicThrottle });
    }
    throttleRoutes(stage, throttles);
  }

  private addEndpoint(
    { operationId, tag, method, path, ...more }: Endpoint | SelfAuthenticatedEndpoint | PublicEndpoint,
    props: Omit<ServiceFunctionProps, 'folder' | 'description'>,
    authorizer?: IHttpRouteAuthorizer,
  ): HttpRoute[] {
    const { live: handler } = new ServiceFunction(this.#areaOf(tag), operationId, {
      folder: functionFolder(operationId),
      description: `${method} ${path}`,
      ...props,
      ...endpointLimits[operationId],
    });
    return this.api.addRoutes({
      path,
      methods: [HttpMethod[method], ...('answersHead' in more && more.answersHead ? [HttpMethod.HEAD] : [])],
      integration: new HttpLambdaIntegration(`${operationId}-integration`, handler),
      ...(authorizer && { authorizer }),
    });
  }
}

/**
 * Contains no path, query, header or claim: they can hold names, ids or the token. The log of the function has the same
 * `correlationId` and the organization. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    correlationId: '$context.requestId',
    time: '$context.requestTime',
    ip: '$context.identity.sourceIp',
    routeKey: '$context.routeKey',
    status: '$context.status',
    responseLatencyMs: '$context.responseLatency',
    integrationLatencyMs: '$context.integrationLatency',
    responseBytes: '$context.responseLength',
    error: '$context.error.responseType',
    authorizerError: '$context.authorizer.error',
    integrationError: '$context.integrationErrorMessage',
  }),
);

/** One second below the gateway's limit of 30, so that the function and not the gateway answers a slow call. */
const apiTimeout = Duration.seconds(29);

type RouteThrottle = NonNullable<SelfAuthenticatedEndpoint['routeThrottle']> & {
  readonly endpoint: Pick<Endpoint, 'method' | 'path'>;
  readonly routes: readonly HttpRoute[];
};

/** Public calls cost no points, so the limit of their route is far below that of the stage. */
const publicThrottle = { requestsPerSecond: 10, burst: 20 };

/** The variables by which endpoints tell the people of an own issuer. Our own authorizer tells the others. */
function personClaims({ ownIssuer }: StageConfig): Record<string, string> {
  const { roleClaim, consoleClientId } = ownIssuer ?? {};
  return {
    ...(roleClaim !== undefined && { [envNames.roleClaim]: roleClaim }),
    ...(consoleClientId !== undefined && { [envNames.consoleClientId]: consoleClientId }),
  };
}

function withRateLimit(access: Access): Access {
  const rateLimits = new Set([...(access.tables?.rateLimits ?? []), ...rateLimitAccess.tables.rateLimits]);
  return { ...access, tables: { ...access.tables, rateLimits: [...rateLimits] } };
}

function acknowledgeOpen(routes: readonly HttpRoute[], reason: string): void {
  for (const route of routes) Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
}

/** Limits routes that are not behind the authorizer. Without this, each could use up the throttle of the whole stage. */
function throttleRoutes(stage: HttpStage, throttles: readonly RouteThrottle[]): void {
  const defaultStage = stage.node.defaultChild as CfnStage;
  defaultStage.routeSettings = Object.fromEntries(
    throttles.map(({ endpoint: { method, path }, requestsPerSecond, burst }) => [
      `${method} ${path}`,
      { ThrottlingRateLimit: requestsPerSecond, ThrottlingBurstLimit: burst },
    ]),
  );
  stage.node.addDependency(...throttles.flatMap(({ routes }) => routes)); // a stage can only name routes that exist
}
