import * as z from 'zod';

/** A property without an effect in the local runner. */
const ignored = z.unknown().optional();

const noWildcard = z.string().regex(/^[^*]+$/, 'must not have wildcards');

const KeySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

/**
 * The resource types that run locally, with the properties that the runner uses. Parsing is strict: a property that is
 * neither used nor marked as ignored is an error, so that the local runner never differs from AWS unnoticed.
 */
export const resourceTypes = {
  'AWS::DynamoDB::Table': z.strictObject({
    AttributeDefinitions: z.array(
      z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
    ),
    KeySchema,
    GlobalSecondaryIndexes: z
      .array(
        z.strictObject({
          IndexName: z.string(),
          KeySchema,
          Projection: z.strictObject({
            ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
            NonKeyAttributes: z.array(z.string()).optional(),
          }),
          OnDemandThroughput: ignored,
          ContributorInsightsSpecification: ignored,
        }),
      )
      .default([]),
    TimeToLiveSpecification: z.strictObject({ AttributeName: z.string(), Enabled: z.boolean() }).optional(),
    BillingMode: ignored,
    ContributorInsightsSpecification: ignored,
    DeletionProtectionEnabled: ignored,
    OnDemandThroughput: ignored,
    PointInTimeRecoverySpecification: ignored,
    SSESpecification: ignored,
    StreamSpecification: z.strictObject({ StreamViewType: z.literal('NEW_IMAGE') }).optional(),
    TableClass: ignored,
    Tags: ignored,
    WarmThroughput: ignored,
  }),
  'AWS::SQS::Queue': z.strictObject({
    DelaySeconds: z.number().optional(),
    MaximumMessageSize: z.number().optional(),
    MessageRetentionPeriod: z.number().optional(),
    ReceiveMessageWaitTimeSeconds: z.number().optional(),
    VisibilityTimeout: z.number().optional(),
    RedrivePolicy: z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() }).optional(),
    KmsMasterKeyId: ignored,
    QueueName: ignored, // every resource is named by its id in the template
    RedriveAllowPolicy: ignored,
    SqsManagedSseEnabled: ignored,
    Tags: ignored,
  }),
  'AWS::S3::Bucket': z.strictObject({
    CorsConfiguration: z
      .strictObject({
        CorsRules: z.array(
          z.strictObject({
            AllowedHeaders: z.array(noWildcard),
            AllowedMethods: z.array(z.string()),
            AllowedOrigins: z.array(noWildcard),
            ExposedHeaders: z.array(z.string()),
            MaxAge: z.number(),
          }),
        ),
      })
      .optional(),
    BucketEncryption: ignored,
    LifecycleConfiguration: ignored,
    LoggingConfiguration: ignored,
    MetricsConfigurations: ignored,
    OwnershipControls: ignored,
    PublicAccessBlockConfiguration: ignored,
    VersioningConfiguration: ignored, // an overwritten object is lost here
    Tags: ignored,
  }),
  'AWS::Lambda::Function': z.strictObject({
    Environment: z.strictObject({ Variables: z.record(z.string(), z.string()).default({}) }).default({ Variables: {} }),
    Handler: z.string(),
    MemorySize: z.number().default(128),
    Runtime: z.string().startsWith('nodejs'),
    Timeout: z.number().default(3),
    LoggingConfig: z.object({ LogGroup: z.string().optional() }).default({}),
    Architectures: ignored,
    Description: ignored,
    EphemeralStorage: ignored,
    RecursiveLoop: ignored,
    ReservedConcurrentExecutions: ignored,
    Role: ignored,
    Tags: ignored,
    TracingConfig: ignored,
  }),
  'AWS::Lambda::EventSourceMapping': z.strictObject({
    BatchSize: z.number().optional(), // the default depends on the source
    Enabled: z.boolean().default(true),
    EventSourceArn: z.string(),
    FunctionName: z.string(),
    FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
    MaximumBatchingWindowInSeconds: z.number().default(0),
    BisectBatchOnFunctionError: z.boolean().default(false),
    FilterCriteria: z.strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })) }).optional(),
    MaximumRecordAgeInSeconds: z.number().default(-1),
    MaximumRetryAttempts: z.number().default(-1),
    ParallelizationFactor: z.number().default(1),
    StartingPosition: z.literal('TRIM_HORIZON').optional(),
    ScalingConfig: z.strictObject({ MaximumConcurrency: z.number().default(10) }).default({ MaximumConcurrency: 10 }),
    MetricsConfig: ignored,
    Tags: ignored,
  }),
  // A function has one version here, so an alias must not route a share of the calls to another version.
  'AWS::Lambda::Version': z.strictObject({ FunctionName: z.string(), Description: ignored }),
  'AWS::Lambda::Alias': z.strictObject({
    FunctionName: z.string(),
    FunctionVersion: z.string(),
    Name: z.string(),
    Description: ignored,
    ProvisionedConcurrencyConfig: ignored,
  }),
  'AWS::Events::EventBus': z.strictObject({
    Name: ignored, // every resource is named by its id in the template
    Description: ignored,
    KmsKeyIdentifier: ignored,
    Tags: ignored,
  }),
  'AWS::SecretsManager::Secret': z.strictObject({
    GenerateSecretString: z.strictObject({ PasswordLength: z.number(), ExcludePunctuation: z.literal(true) }),
    Description: ignored,
    KmsKeyId: ignored,
    Name: ignored,
    Tags: ignored,
  }),
  'AWS::Events::Rule': z.strictObject({
    EventBusName: z.string().optional(),
    EventPattern: z.record(z.string(), z.unknown()).optional(),
    ScheduleExpression: z.string().optional(),
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    Targets: z
      .array(
        z.strictObject({
          Arn: z.string(),
          Id: z.string(),
          DeadLetterConfig: z.strictObject({ Arn: z.string() }).optional(),
          RetryPolicy: ignored,
        }),
      )
      .default([]),
    Description: ignored,
    Name: ignored,
    Tags: ignored,
  }),
  'AWS::ApiGatewayV2::Api': z.strictObject({
    ProtocolType: z.literal('HTTP'),
    CorsConfiguration: z
      .strictObject({
        AllowOrigins: z.array(noWildcard),
        AllowMethods: z.array(z.string()),
        AllowHeaders: z.array(z.string()),
        ExposeHeaders: z.array(z.string()),
        MaxAge: z.number(),
      })
      .optional(),
    Description: ignored,
    DisableExecuteApiEndpoint: ignored,
    Name: ignored,
    Tags: ignored,
  }),
  'AWS::ApiGatewayV2::Stage': z.strictObject({
    StageName: z.literal('$default'),
    AccessLogSettings: ignored,
    ApiId: ignored,
    AutoDeploy: ignored,
    DefaultRouteSettings: ignored,
    Description: ignored,
    RouteSettings: ignored,
    Tags: ignored,
  }),
  'AWS::ApiGatewayV2::Integration': z.strictObject({
    IntegrationType: z.literal('AWS_PROXY'),
    IntegrationUri: z.string(),
    PayloadFormatVersion: z.literal('2.0'),
    TimeoutInMillis: z.number().max(30_000).default(30_000),
    ApiId: ignored,
    Description: ignored,
    IntegrationMethod: ignored,
  }),
  'AWS::ApiGatewayV2::Route': z.strictObject({
    AuthorizationType: z.enum(['NONE', 'CUSTOM']).default('NONE'),
    AuthorizerId: z.string().optional(),
    RouteKey: z.string(),
    Target: z.string().startsWith('integrations/'),
    ApiId: ignored,
    OperationName: ignored,
  }),
  'AWS::ApiGatewayV2::Authorizer': z.strictObject({
    AuthorizerType: z.literal('REQUEST'),
    AuthorizerPayloadFormatVersion: z.literal('2.0'),
    AuthorizerResultTtlInSeconds: z.number().max(3600),
    AuthorizerUri: z.string(),
    EnableSimpleResponses: z.literal(true),
    IdentitySource: z.tuple([z.literal('$request.header.Authorization')]),
    ApiId: ignored,
    Name: ignored,
  }),
};

/** A resource type that runs locally. */
export type ResourceType = keyof typeof resourceTypes;
/** The properties of a resource type that the runner uses. */
export type Properties<Type extends ResourceType> = z.infer<(typeof resourceTypes)[Type]>;

/**
 * Types without local meaning: the user pools, which the local issuer replaces, permissions, monitoring, domain names, what
 * serves the console, deployments of new code, and helpers of CDK.
 */
const withoutLocalMeaning = [
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::CDK::Metadata',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::Cognito::ManagedLoginBranding',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::Cognito::UserPoolDomain',
  'AWS::Cognito::UserPoolResourceServer',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Lambda::LayerVersion',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::ResourcePolicy',
  'AWS::Route53::RecordSet',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'Custom::CDKBucketDeployment',
  'Custom::S3AutoDeleteObjects',
];

/** Whether a resource type runs locally, is ignored on purpose, or is unknown. */
export function localMeaning(type: string): 'runs' | 'none' | 'unknown' {
  if (Object.hasOwn(resourceTypes, type)) return 'runs';
  return withoutLocalMeaning.includes(type) ? 'none' : 'unknown';
}
