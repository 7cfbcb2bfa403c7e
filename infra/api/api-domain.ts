import { DomainName, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { CustomDomain } from '../settings/stages.ts';
import { describedOutput } from '../stack/described-outputs.ts';
import { outputNames } from '../stack/outputs.ts';

/** A custom domain name for the API. Creates its record in the given hosted zone. Without a zone, an output has the record's target. */
export class ApiDomain extends Construct {
  readonly domain: DomainName;

  constructor(scope: Construct, id: string, { domainName, certificateArn, hostedZone }: CustomDomain) {
    super(scope, id);
    this.domain = new DomainName(this, 'Domain', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    const { regionalDomainName, regionalHostedZoneId } = this.domain;
    if (!hostedZone) {
      describedOutput(this, outputNames.apiDomainTarget, regionalDomainName);
      return;
    }
    new ARecord(this, 'Record', {
      zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', hostedZone),
      recordName: domainName,
      target: RecordTarget.fromAlias(new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId)),
    });
  }
}
