import { CfnOutput, Stack } from 'aws-cdk-lib';
import { DomainName, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { outputNames } from '../outputs.ts';
import type { CustomDomain } from '../stages.ts';

/** A name of one's own for the API. Its record is made in the zone that is given; else an output says where it must lead. */
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
      new CfnOutput(Stack.of(this), outputNames.apiDomainTarget, { value: regionalDomainName });
      return;
    }
    new ARecord(this, 'Record', {
      zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', hostedZone),
      recordName: domainName,
      target: RecordTarget.fromAlias(new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId)),
    });
  }
}
