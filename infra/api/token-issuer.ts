import { Aws, Duration, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { AccountRecovery, FeaturePlan, Mfa, OAuthScope, ResourceServerScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { envNames } from '#shared/runtime/names.ts';
import type { PeoplePool } from '../console/people-pool.ts';
import { functionAccess } from '../functions/function-access.ts';
import { authorizerMemoryMb } from '../functions/function-memory.ts';
import { ServiceFunction } from '../functions/service-function.ts';
import type { StageConfig } from '../settings/stages.ts';
import type { ServiceResources } from '../storage/service-resources.ts';

type TokenIssuerProps = {
  readonly resources: ServiceResources;
  readonly config: StageConfig;
  /** The pool of people, whose tokens the authorizer accepts, too. */
  readonly people?: PeoplePool | undefined;
};

/**
 * A Cognito user pool that issues tokens to machines only, and the authorizer that accepts them. The stack creates no users
 * and no clients: `npm run organization` creates one client for each organization.
 */
export class TokenIssuer extends Construct {
  readonly userPool: UserPool;
  /** URL at which a client gets a token for its id and secret. */
  readonly tokenUrl: string;
  /** The scope that every client may request and every token must have. */
  readonly scope: string;
  readonly authorizer: IHttpRouteAuthorizer;

  constructor(scope: Construct, id: string, { people, ...stage }: TokenIssuerProps) {
    super(scope, id);
    this.userPool = this.createUserPool(stage.config);
    const access = new ResourceServerScope({ scopeName: 'access', scopeDescription: 'Every operation of the API' });
    const resourceServer = this.userPool.addResourceServer('Api', { identifier: 'roomscribe', scopes: [access] });
    this.scope = OAuthScope.resourceServer(resourceServer, access).scopeName;
    const domain = this.userPool.addDomain('Domain', { cognitoDomain: { domainPrefix: this.uniqueName() } });
    this.tokenUrl = `${domain.baseUrl()}/oauth2/token`;
    this.authorizer = this.createAuthorizer(stage, people);
  }

  /** The settings for users apply only if somebody adds a user by hand. */
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
      reason: 'The pool has no users, and the threat protection of the Plus plan monitors only sign-ins of users.',
    });
    return userPool;
  }

  /** All accounts of a region share one namespace of domains. The last part of the stack's id is unique. */
  private uniqueName(): string {
    return `roomscribe-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`;
  }

  private createAuthorizer(
    { resources, config }: Omit<TokenIssuerProps, 'people'>,
    people: PeoplePool | undefined,
  ): IHttpRouteAuthorizer {
    const { live: authorize } = new ServiceFunction(this, 'authorize-request', {
      folder: 'authorizers/authorize-request',
      memorySize: authorizerMemoryMb,
      description: 'Accepts requests with a token of a user pool',
      access: functionAccess['authorize-request'],
      environment: {
        [envNames.userPoolId]: this.userPool.userPoolId,
        [envNames.tokenScope]: this.scope,
        ...(people && {
          [envNames.peoplePoolId]: people.userPool.userPoolId,
          [envNames.consoleClientId]: people.clientId,
        }),
      },
      timeout: authorizerTimeout,
      resources,
      config,
    });
    return new HttpLambdaAuthorizer('TokenAuthorizer', authorize, {
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      resultsCacheTtl: authorizationKept,
    });
  }
}

/** The gateway waits ten seconds. The function requests the keys at most twice, for three seconds each. */
const authorizerTimeout = Duration.seconds(9);

/** The gateway keeps the result for a token for so long, and calls no function meanwhile. Endpoints refuse a token that has expired. */
const authorizationKept = Duration.minutes(5);
