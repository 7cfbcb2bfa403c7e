import { Aws, Duration, Fn, Lazy, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  type CfnUserPoolClient,
  ClientAttributes,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  StringAttribute,
  UserPool,
  UserPoolClient,
  UserPoolClientIdentityProvider,
  type UserPoolResourceServer,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { invitedBy, personTokenMinutes } from '#shared/contracts/organization/person.ts';
import type { StageConfig } from '../settings/stages.ts';

/** The addresses of the console that Cognito must know. */
export type ConsoleAddresses = {
  /** The page to which the login returns with a code. */
  readonly callbackUrl: string;
  /** The page to which a logout returns. The mail that invites a person names it as the console. */
  readonly logoutUrl: string;
};

/**
 * A Cognito user pool for people, whose tokens the authorizer accepts beside those of machines. Its groups name the organization
 * and the role of a person. The stack creates no users and no groups: `npm run organization -- people` does.
 */
export class PeoplePool extends Construct {
  readonly userPool: UserPool;
  /** The scope that every access token must have. */
  readonly scope: string;
  /** The scopes that the console asks for. */
  readonly requestedScopes: string;
  /** The origin of the login and of the endpoints. It refers to no resource. */
  readonly loginUrl: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** Cognito's own logout. It takes `client_id` and `logout_uri`, which must be `logoutUrl`. */
  readonly endSessionEndpoint: string;
  readonly revocationEndpoint: string;
  readonly #access = new ResourceServerScope({ scopeName: 'access', scopeDescription: 'Every operation of the API' });
  readonly #resourceServer: UserPoolResourceServer;
  #console: { readonly client: UserPoolClient; readonly addresses: ConsoleAddresses } | undefined;

  constructor(scope: Construct, id: string, { config }: { readonly config: StageConfig }) {
    super(scope, id);
    this.userPool = this.createUserPool(config);
    this.#resourceServer = this.userPool.addResourceServer('Api', { identifier: 'roomscribe', scopes: [this.#access] });
    this.scope = this.apiScope().scopeName;
    this.requestedScopes = `openid ${this.scope}`;
    const domainPrefix = uniqueDomainPrefix();
    this.userPool.addDomain('Domain', {
      cognitoDomain: { domainPrefix },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Refers to no resource, so a policy of the console's pages can name the address, and the pool can name the console's.
    this.loginUrl = `https://${domainPrefix}.auth.${Aws.REGION}.amazoncognito.com`;
    this.authorizationEndpoint = `${this.loginUrl}/oauth2/authorize`;
    this.tokenEndpoint = `${this.loginUrl}/oauth2/token`;
    this.endSessionEndpoint = `${this.loginUrl}/logout`;
    this.revocationEndpoint = `${this.loginUrl}/oauth2/revoke`;
  }

  /** The id of the console's client. It can be used before `addConsoleClient` is called, but the stack must call that. */
  get clientId(): string {
    return Lazy.string({ produce: () => this.addedConsole().client.userPoolClientId });
  }

  /**
   * Creates the client with which the console's pages log people in: authorization code with PKCE, and no secret. Cognito takes
   * any request with a code challenge, and the pages always send one.
   */
  addConsoleClient(addresses: ConsoleAddresses): void {
    const client = new UserPoolClient(this, 'ConsoleClient', {
      userPool: this.userPool,
      generateSecret: false,
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, this.apiScope()],
        callbackUrls: [addresses.callbackUrl],
        logoutUrls: [addresses.logoutUrl],
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      accessTokenValidity: Duration.minutes(personTokenMinutes),
      idTokenValidity: Duration.minutes(personTokenMinutes),
      refreshTokenValidity: Duration.hours(12), // a working day: then people log in again
      authSessionValidity: Duration.minutes(15), // the first login sets up an authenticator app
      readAttributes: onlyEmail,
      writeAttributes: onlyEmail,
    });
    // Without a list, Cognito would also allow logins by its API, outside of the managed login.
    (client.node.defaultChild as CfnUserPoolClient).explicitAuthFlows = ['ALLOW_REFRESH_TOKEN_AUTH'];
    new CfnManagedLoginBranding(this, 'Branding', {
      userPoolId: this.userPool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true, // without a branding, the newer login shows no page
    });
    this.#console = { client, addresses };
  }

  private addedConsole() {
    if (!this.#console) throw new Error('The stack must call addConsoleClient of the pool of people.');
    return this.#console;
  }

  private apiScope(): OAuthScope {
    return OAuthScope.resourceServer(this.#resourceServer, this.#access);
  }

  /** A second factor is required in every stage: an optional one could not be set up in Cognito's login, and nobody would have it. */
  private createUserPool({ removalPolicy }: StageConfig): UserPool {
    const userPool = new UserPool(this, 'UserPool', {
      featurePlan: FeaturePlan.ESSENTIALS, // the plan of the newer login
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      standardAttributes: { email: { required: true, mutable: true } },
      customAttributes: { [invitedBy]: new StringAttribute({ maxLen: 64, mutable: true }) }, // no client may read or write it
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(7),
      },
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { sms: false, otp: true },
      userInvitation: {
        emailSubject: 'Your access to Roomscribe',
        emailBody: Lazy.string({ produce: () => invitationTo(this.addedConsole().addresses.logoutUrl) }),
      },
      deletionProtection: removalPolicy === RemovalPolicy.RETAIN,
      removalPolicy,
    });
    Validations.of(userPool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason:
        'Threat protection needs the Plus plan, which costs more for each person. A second factor is required instead.',
    });
    return userPool;
  }
}

const onlyEmail = new ClientAttributes().withStandardAttributes({ email: true });

/** All accounts of a region share one namespace of domains. The last part of the stack's id is unique. */
function uniqueDomainPrefix(): string {
  return `roomscribe-people-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`;
}

/** Cognito replaces `{username}` with the e-mail address, and `{####}` with a temporary password. */
function invitationTo(consoleUrl: string): string {
  return (
    `<p>You can now look at the rooms, sessions and transcripts of your organization: <a href="${consoleUrl}">${consoleUrl}</a></p>` +
    '<p>Log in as {username} with the password {####} within seven days. You then choose a password of your own and set up an authenticator app.</p>'
  );
}
