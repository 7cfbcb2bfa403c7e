import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
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
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type Access, rateLimitAccess } from '../../shared/access.ts';
import type { Endpoint, PublicEndpoint } from '../../shared/contracts/endpoint.ts';
import { envNames } from '../../shared/names.ts';
import { corsFor } from '../cors.ts';
import type { StageConfig } from '../stages.ts';
import { ApiDomain } from './api-domain.ts';
import { ServiceFunction } from './service-function.ts';
import type { ServiceResources } from './service-resources.ts';

/** The contract's endpoints, and what their functions stand on. */
export type ServiceApiProps = {
  readonly endpoints: readonly (Endpoint & { readonly access: Access })[];
  readonly publicEndpoints: readonly PublicEndpoint[];
  /** Stands before every endpoint that is not public. */
  readonly authorizer: IHttpRouteAuthorizer;
  /** What of the token names the organization. */
  readonly organizationClaim: string;
  readonly resources: ServiceResources;
  readonly config: StageConfig;
};

/** The HTTP API: one route and one function for each endpoint, and one authorizer before all but the public ones. */
export class ServiceApi extends Construct {
  readonly api: HttpApi;
  /** Where clients reach it. */
  readonly url: string;
  /** One line for each call, those included that no function gets to see. */
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceApiProps) {
    super(scope, id);
    const { endpoints, publicEndpoints, authorizer, organizationClaim, resources, config } = props;
    this.api = new HttpApi(this, 'HttpApi', {
      description: 'Roomscribe: transcripts and usage insights for video rooms',
      createDefaultStage: false, // made below, with its throttling
      defaultAuthorizer: authorizer,
      ...(config.corsOrigins.length > 0 && { corsPreflight: corsFor(config.corsOrigins) }),
      disableExecuteApiEndpoint: config.customDomain !== undefined, // one address, of which the caller knows whose it is
    });
    const domain = config.customDomain && new ApiDomain(this, 'Domain', config.customDomain).domain;
    this.url = config.customDomain ? `https://${config.customDomain.domainName}` : this.api.apiEndpoint;
    this.accessLog = new LogGroup(this, 'AccessLog', {
      retention: config.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { requestsPerSecond, burst } = config.throttling;
    const stage = this.api.addStage('DefaultStage', {
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: requestsPerSecond, burstLimit: burst },
      ...(domain && { domainMapping: { domainName: domain } }),
      accessLogSettings: { destination: new LogGroupLogDestination(this.accessLog), format: accessLogFormat },
    });
    for (const endpoint of endpoints) {
      const { live: handler } = new ServiceFunction(this, endpoint.operationId, {
        folder: `api/${endpoint.tag}/${endpoint.operationId}`,
        description: `${endpoint.method} ${endpoint.path}`,
        access: { ...endpoint.access, tables: { ...endpoint.access.tables, ...rateLimitAccess.tables } },
        environment: {
          [envNames.organizationClaim]: organizationClaim,
          [envNames.rateLimitPointsPerMinute]: String(config.rateLimitPointsPerMinute),
        },
        timeout: apiTimeout,
        resources,
        config,
      });
      this.addRoute(endpoint, handler);
    }
    const routes: HttpRoute[] = [];
    for (const endpoint of publicEndpoints) {
      const { live: handler } = new ServiceFunction(this, endpoint.operationId, {
        folder: `api/${endpoint.tag}/${endpoint.operationId}`,
        description: `${endpoint.method} ${endpoint.path}`,
        access: {},
        timeout: apiTimeout,
        resources,
        config,
      });
      routes.push(...this.addRoute(endpoint, handler, new HttpNoneAuthorizer()));
    }
    for (const route of routes) acknowledgeOpen(route);
    throttlePublic(stage, routes, publicEndpoints);
  }

  private addRoute(
    { operationId, method, path }: Endpoint | PublicEndpoint,
    handler: IFunction,
    authorizer?: IHttpRouteAuthorizer,
  ): HttpRoute[] {
    return this.api.addRoutes({
      path,
      methods: [HttpMethod[method]],
      integration: new HttpLambdaIntegration(`${operationId}-integration`, handler),
      ...(authorizer && { authorizer }),
    });
  }
}

/**
 * No path and no query, which hold names and ids, no header and no claim: the token is in none of them. A function's own
 * log says of the same `correlationId` whose call it was. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
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

/** One second below the gateway's own limit of 30, so that a slow call is answered by us and not by the gateway. */
const apiTimeout = Duration.seconds(29);

function acknowledgeOpen(route: HttpRoute): void {
  Validations.of(route).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'Open to all on purpose: it answers the same to everybody, and its function may touch nothing.',
  });
}

/** Whoever has no token costs nobody points: such a route has a throttle of its own, far below the stage's. */
function throttlePublic(stage: HttpStage, routes: readonly HttpRoute[], endpoints: readonly PublicEndpoint[]): void {
  const settings = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 };
  const defaultStage = stage.node.defaultChild as CfnStage;
  defaultStage.routeSettings = Object.fromEntries(endpoints.map(({ method, path }) => [`${method} ${path}`, settings]));
  stage.node.addDependency(...routes); // a stage cannot name a route that is not there yet
}
