import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { CustomDomain } from '../settings/stages.ts';
import { describedOutput } from '../stack/described-outputs.ts';
import { outputNames } from '../stack/outputs.ts';

type ConsoleDomainRecordsProps = { readonly customDomain: CustomDomain; readonly distribution: Distribution };

/** The records of the console's domain name in the given hosted zone. Without a zone, an output has their target. */
export class ConsoleDomainRecords extends Construct {
  constructor(scope: Construct, id: string, { customDomain, distribution }: ConsoleDomainRecordsProps) {
    super(scope, id);
    const { domainName, hostedZone } = customDomain;
    if (!hostedZone) {
      describedOutput(this, outputNames.consoleDomainTarget, distribution.distributionDomainName);
      return;
    }
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', hostedZone);
    const record = { zone, recordName: domainName, target: RecordTarget.fromAlias(new CloudFrontTarget(distribution)) };
    new ARecord(this, 'Record', record);
    new AaaaRecord(this, 'Ipv6Record', record);
  }
}
