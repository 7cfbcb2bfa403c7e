import { Stack } from 'aws-cdk-lib';
import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { MonitoredResources } from './monitored-resources.ts';

/** A saved query of CloudWatch Logs Insights that finds the log lines of one API call in every log group of the service. */
export class CallQuery extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { functions, accessLog }: Pick<MonitoredResources, 'functions' | 'accessLog'>,
  ) {
    super(scope, id);
    new QueryDefinition(this, 'Query', {
      queryDefinitionName: `${Stack.of(this).stackName}/one call`,
      queryString: new QueryString({
        fields: ['@timestamp', '@log', 'message', 'level', 'transcriptionId', 'statusCode', 'durationMs'],
        filterStatements: ["correlationId = 'the apigw-requestid of the response'"],
        sort: '@timestamp asc',
      }),
      logGroups: [accessLog, ...functions.map(({ logGroup }) => logGroup)],
    });
  }
}
