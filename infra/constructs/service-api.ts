import { Duration, Validations } from 'aws-cdk-lib';
import {
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  type HttpRoute,
  type IHttpRouteAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Endpoint, PublicEndpoint } from '../../shared/contracts/endpoint.ts';
import { rateLimitAccess } from '../../shared/contracts/rate-limit.ts';
import { envNames } from '../../shared/names.ts';
import type { StageConfig } from '../stages.ts';
import { ServiceFunction } from './service-function.ts';
import type { ServiceResources } from './service-resources.ts';

/** The contract's endpoints, and what their functions stand on. */
export type ServiceApiProps = {
  readonly endpoints: readonly Endpoint[];
  readonly publicEndpoints: readonly PublicEndpoint[];
  readonly resources: ServiceResources;
  readonly config: StageConfig;
};

/** The HTTP API: one route and one function for each endpoint, and one JWT authorizer before all but the public ones. */
export class ServiceApi extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, { endpoints, publicEndpoints, resources, config }: ServiceApiProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'HttpApi', {
      description: 'Roomscribe: transcripts and usage insights for video rooms',
      createDefaultStage: false, // made below, with its throttling
      defaultAuthorizer: new HttpJwtAuthorizer('Authorizer', config.issuer, { jwtAudience: [config.audience] }),
    });
    const { requestsPerSecond, burst } = config.throttling;
    this.api.addStage('DefaultStage', {
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: requestsPerSecond, burstLimit: burst },
    });
    for (const endpoint of endpoints) {
      const { function: handler } = new ServiceFunction(this, endpoint.operationId, {
        folder: `api/${endpoint.tag}/${endpoint.operationId}`,
        description: `${endpoint.method} ${endpoint.path}`,
        access: { ...endpoint.access, tables: { ...endpoint.access.tables, ...rateLimitAccess.tables } },
        environment: {
          [envNames.organizationClaim]: config.organizationClaim,
          [envNames.rateLimitPointsPerMinute]: String(config.rateLimitPointsPerMinute),
        },
        timeout: apiTimeout,
        resources,
        config,
      });
      this.addRoute(endpoint, handler);
    }
    for (const endpoint of publicEndpoints) {
      const { function: handler } = new ServiceFunction(this, endpoint.operationId, {
        folder: `api/${endpoint.tag}/${endpoint.operationId}`,
        description: `${endpoint.method} ${endpoint.path}`,
        access: {},
        timeout: apiTimeout,
        resources,
        config,
      });
      for (const route of this.addRoute(endpoint, handler, new HttpNoneAuthorizer())) {
        Validations.of(route).acknowledge({
          id: 'AwsSolutions-APIG4',
          reason: 'Open to all on purpose: it answers the same to everybody, and its function may touch nothing.',
        });
      }
    }
  }

  private addRoute(
    { operationId, method, path }: Endpoint | PublicEndpoint,
    handler: LambdaFunction,
    authorizer?: IHttpRouteAuthorizer,
  ): readonly HttpRoute[] {
    return this.api.addRoutes({
      path,
      methods: [HttpMethod[method]],
      integration: new HttpLambdaIntegration(`${operationId}-integration`, handler),
      ...(authorizer && { authorizer }),
    });
  }
}

/** One second below the gateway's own limit of 30, so that a slow call is answered by us and not by the gateway. */
const apiTimeout = Duration.seconds(29);
