import { Aws, Duration, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { AccountRecovery, FeaturePlan, Mfa, OAuthScope, ResourceServerScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { envNames } from '../../shared/names.ts';
import { functionAccess } from '../function-access.ts';
import type { StageConfig } from '../stages.ts';
import { ServiceFunction } from './service-function.ts';
import type { ServiceResources } from './service-resources.ts';

/**
 * A Cognito user pool that gives tokens to machines and to nobody else, and the authorizer that takes them. It has no
 * users and no clients of its own: `npm run organization` makes one client for each organization.
 */
export class TokenIssuer extends Construct {
  readonly userPool: UserPool;
  /** Where a client gets a token for its id and secret. */
  readonly tokenUrl: string;
  /** What every client may ask for, and every token must have. */
  readonly scope: string;
  readonly authorizer: IHttpRouteAuthorizer;

  constructor(
    scope: Construct,
    id: string,
    { resources, config }: { readonly resources: ServiceResources; readonly config: StageConfig },
  ) {
    super(scope, id);
    this.userPool = this.createUserPool(config);
    const access = new ResourceServerScope({ scopeName: 'access', scopeDescription: 'Every operation of the API' });
    const resourceServer = this.userPool.addResourceServer('Api', { identifier: 'roomscribe', scopes: [access] });
    this.scope = OAuthScope.resourceServer(resourceServer, access).scopeName;
    const domain = this.userPool.addDomain('Domain', { cognitoDomain: { domainPrefix: this.uniqueName() } });
    this.tokenUrl = `${domain.baseUrl()}/oauth2/token`;
    this.authorizer = this.createAuthorizer(resources, config);
  }

  /** What is said of users below is for the day on which somebody adds one by hand. */
  private createUserPool({ removalPolicy }: StageConfig): UserPool {
    const userPool = new UserPool(this, 'UserPool', {
      featurePlan: FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: false,
      accountRecovery: AccountRecovery.NONE,
      passwordPolicy: {
        minLength: 16,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
      },
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { sms: false, otp: true },
      deletionProtection: removalPolicy === RemovalPolicy.RETAIN,
      removalPolicy,
    });
    Validations.of(userPool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason: 'The pool has no users, and the threat protection of the Plus plan watches how users sign in.',
    });
    return userPool;
  }

  /** Domains share one namespace in a region, over all accounts: the last part of the stack's own id is nobody else's. */
  private uniqueName(): string {
    return `roomscribe-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`;
  }

  private createAuthorizer(resources: ServiceResources, config: StageConfig): IHttpRouteAuthorizer {
    const { live: authorize } = new ServiceFunction(this, 'authorize-request', {
      folder: 'authorizers/authorize-request',
      description: 'Lets requests in that have a token of the user pool',
      access: functionAccess['authorize-request'],
      environment: { [envNames.userPoolId]: this.userPool.userPoolId, [envNames.tokenScope]: this.scope },
      timeout: authorizerTimeout,
      resources,
      config,
    });
    return new HttpLambdaAuthorizer('TokenAuthorizer', authorize, {
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      resultsCacheTtl: Duration.seconds(0), // a result that is kept outlives its token
    });
  }
}

/** The gateway waits for ten seconds; the keys are asked for twice, three seconds each. */
const authorizerTimeout = Duration.seconds(9);
