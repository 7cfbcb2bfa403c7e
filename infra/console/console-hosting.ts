import { fileURLToPath } from 'node:url';
import { Aws, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  Function as PathFunction,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Bucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { contentSecurityPolicy, type OtherOrigins } from '#console/serving/policy.ts';
import { permissionsPolicy } from '../settings/permissions-policy.ts';
import type { CustomDomain } from '../settings/stages.ts';
import { PrivateBucket } from '../storage/private-bucket.ts';
import { ConsoleDomainRecords } from './console-domain-records.ts';

/** What the distribution of the console needs of the stack. */
export type ConsoleHostingProps = {
  /** The domain name at which the API answers: that of the gateway, or that of the stage. */
  readonly apiDomainName: string;
  readonly otherOrigins: OtherOrigins;
  /** The bucket in which S3 logs requests to the bucket of the pages. */
  readonly accessLogs: Bucket;
  readonly customDomain?: CustomDomain | undefined;
};

/**
 * The address of the console: a CloudFront distribution with its pages, which lie in a private bucket, and with the API below `/v1/`.
 * So page and API have one origin.
 */
export class ConsoleHosting extends Construct {
  /** The bucket of the pages. They are built again for each deployment, so it is deleted with the stack in every stage. */
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  /** The address of the console, with a slash at the end. Logins return to it. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: ConsoleHostingProps) {
    super(scope, id);
    const { apiDomainName, otherOrigins, accessLogs, customDomain } = props;
    // Everybody may read what lies here, so it needs no key of the stage, which CloudFront would have to be allowed to use.
    const removalPolicy = RemovalPolicy.DESTROY;
    this.bucket = new PrivateBucket(this, 'PagesBucket', { removalPolicy, accessLogs }).bucket;
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `The console of ${Stack.of(this).stackName}`,
      defaultBehavior: this.pages(otherOrigins),
      additionalBehaviors: { '/v1/*': this.api(apiDomainName) },
      httpVersion: HttpVersion.HTTP2_AND_3,
      // Otherwise CloudFront answers everybody near with one caller's error for 10 seconds, even if the API said no-store.
      errorResponses: cachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...(customDomain && {
        domainNames: [customDomain.domainName],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', customDomain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
    });
    this.url = `https://${customDomain?.domainName ?? this.distribution.distributionDomainName}/console/`;
    if (customDomain) new ConsoleDomainRecords(this, 'Records', { customDomain, distribution: this.distribution });
    acknowledgeFindings(this.distribution, customDomain !== undefined);
  }

  private pages(otherOrigins: OtherOrigins): BehaviorOptions {
    const paths = new PathFunction(this, 'Paths', {
      code: FunctionCode.fromFile({ filePath: consolePathsFile }),
      runtime: FunctionRuntime.JS_2_0,
      comment: 'Answers views of the console with its page',
    });
    const originAccessControl = new S3OriginAccessControl(this, 'OriginAccess', {
      originAccessControlName: this.regionalName('pages'),
    });
    return {
      // CDK's class does not match its own interface under exactOptionalPropertyTypes, because of `isWebsite`.
      origin: S3BucketOrigin.withOriginAccessControl(this.bucket as IBucket, { originAccessControl }),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED, // as long as each file's Cache-Control says
      responseHeadersPolicy: this.headers('PageHeaders', 'pages', contentSecurityPolicy(otherOrigins)),
      functionAssociations: [{ function: paths, eventType: FunctionEventType.VIEWER_REQUEST }],
    };
  }

  private api(domainName: string): BehaviorOptions {
    const origin = new HttpOrigin(domainName, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      readTimeout: Duration.seconds(35), // the gateway answers within 30, and says why
    });
    return {
      origin,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY, // a redirect would come after the token was sent in the clear
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER, // with it, CloudFront passes on Authorization
      // No answer of the API is a page. If a browser showed one, it could do nothing in the origin of the console.
      responseHeadersPolicy: this.headers('ApiHeaders', 'api', "default-src 'none'; frame-ancestors 'none'; sandbox"),
      compress: false, // the functions do that
    };
  }

  private headers(id: string, name: string, policy: string): ResponseHeadersPolicy {
    const override = true;
    const custom = {
      'Permissions-Policy': permissionsPolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    };
    return new ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: this.regionalName(name),
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: policy, override },
        contentTypeOptions: { override },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(730), override },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries(custom).map(([header, value]) => ({ header, value, override })),
      },
    });
  }

  /** Names of CloudFront are shared by all regions, and CDK would choose the same ones in each. */
  private regionalName(name: string): string {
    return `${Aws.STACK_NAME}-${Aws.REGION}-${name}`;
  }
}

/** The errors for which a time can be set: https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CustomErrorResponse.html. */
const cachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** The source of the CloudFront Function. */
const consolePathsFile = fileURLToPath(new URL('./edge/console-paths.js', import.meta.url));

function acknowledgeFindings(distribution: Distribution, hasCustomDomain: boolean): void {
  const reasons = {
    'AwsSolutions-CFR1': 'The people who use the console may be anywhere, and they log in.',
    'AwsSolutions-CFR2': 'A firewall costs more than the console. docs/security.md says how to attach one.',
    'AwsSolutions-CFR3':
      'CloudFront logs only by access control lists, which the buckets disable, or from us-east-1. The access log of the API has every call.',
    ...(!hasCustomDomain && {
      'AwsSolutions-CFR4': 'At its own domain name, CloudFront decides on TLS. A stage with a domain name has TLS 1.2.',
    }),
  };
  for (const [id, reason] of Object.entries(reasons)) Validations.of(distribution).acknowledge({ id, reason });
}
