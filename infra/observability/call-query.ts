import { Aws, Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/**
 * A saved query of CloudWatch Logs Insights that finds the log lines of one API call in every log group of the service. It selects them by the
 * prefix of their names, because a query may name no more than 50.
 */
export class CallQuery extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    // The id of the query of earlier releases, which had a construct around it.
    new CfnQueryDefinition(new Construct(this, 'Query'), 'Resource', {
      name: `${Stack.of(this).stackName}/one call`,
      queryString: [
        `SOURCE logGroups(namePrefix: ['${Aws.STACK_NAME}-'])`,
        'fields @timestamp, @log, message, level, transcriptionId, statusCode, durationMs',
        "filter correlationId = 'the apigw-requestid of the response'",
        'sort @timestamp asc',
      ].join(' | '),
    });
  }
}
