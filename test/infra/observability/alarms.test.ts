import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stageNames } from '#infra/settings/stages.ts';
import { metricsDimension, metricsNamespace } from '#shared/runtime/names.ts';
import { type AlarmFacts, alarmsOf, isOf, rollsBack } from '../../support/infra/alarms.ts';
import { at, type Resource, refersTo, stackOf, statementsOfRole } from '../../support/infra/templates.ts';

/** The maximum age of the oldest message of each queue, in minutes. */
const oldestMessageMinutes: Readonly<Record<string, number>> = {
  roomEvents: 5,
  networkSamples: 5,
  mediaPreparation: 45,
  transcriptionJobs: 15,
  transcriptionResults: 15,
  transcriptionMerges: 15,
  transcriptChanges: 15,
  bulkDelete: 60,
  platformHooks: 5,
  noticeEvents: 5,
  deliveryPlans: 5,
  webhookRuns: 30, // a retry waits in it for up to 15
  noticeReplays: 15,
};

/** Actions on the stream of a table, which are no operations on the table. */
const readsStream = /^(DescribeStream|GetRecords|GetShardIterator)$/;

const page = readFileSync('docs/operations/alarms.md', 'utf8');
const sections = new Set(
  [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => String(title).toLowerCase().replaceAll(' ', '-')),
);

/** The rows of the page's table: a pattern of alarm names, whether it wakes somebody, and the section. */
const rows = [
  ...page.matchAll(/^\| `([^`]+)`(?: \(prod\))? \| [^|]+ \| (yes|no) \| \[[^\]]+\]\(#([a-z-]+)\) \|$/gm),
].map(([, name = '', wakes, section]) => ({
  pattern: new RegExp(`^${name.replaceAll(/<[^>]+>/g, '[\\w-]+')}$`),
  wakes: wakes === 'yes',
  section,
}));

const alarmEmails = { urgent: 'pager@example.com', routine: 'ops@example.com' };

describe.each(stageNames)('the alarms of %s', (stage) => {
  const stack = stackOf(stage, { config: { alarmEmails } });
  const alarms = alarmsOf(stack);
  /** All alarms except those that roll back a deployment: rollout.test.ts covers these. */
  const watching = alarms.filter((alarm) => !rollsBack(stack, alarm));
  const expected = new Set<AlarmFacts>();

  /** Returns the only alarm on a metric of a resource, or of the deployment. */
  function alarmOn(namespace: string, name: string, resource?: Resource, among = watching): AlarmFacts {
    const found = among.filter(({ metrics }) =>
      metrics.some(
        (metric) => metric.namespace === namespace && metric.name === name && (!resource || isOf(metric, resource)),
      ),
    );
    const [alarm] = found;
    if (!alarm || found.length > 1) throw new Error(`${found.length} alarms on ${name} of ${resource?.path ?? stage}.`);
    expected.add(alarm);
    return alarm;
  }

  /** The alarms on several functions watch an expression. The one on the answers to webhooks watches a metric. */
  const ofSeveral = watching.filter(({ expression }) => expression !== undefined);
  const ofOne = watching.filter(({ expression }) => expression === undefined);

  const nameOf = ({ path }: Resource) => String(path.split('/').findLast((part) => /^[a-z]/.test(part)));

  /** Returns an alarm's expression for one of its functions. The label and the description must name the function. */
  function partOf({ parts, resource }: AlarmFacts, one: Resource): unknown {
    expect(String(resource.properties.AlarmDescription)).toMatch(new RegExp(`[:,] ${nameOf(one)}[,.]`));
    const [part, ...more] = parts.filter(({ label }) => label === nameOf(one));
    expect(more).toEqual([]);
    return part?.expression;
  }

  const own = (name: string, statistic = 'Sum') => {
    const alarm = alarmOn(metricsNamespace, name);
    expect(alarm.metrics).toMatchObject([{ statistic, dimensions: { [metricsDimension]: stack.stackName } }]);
    return alarm;
  };

  const queues = stack.all('AWS::SQS::Queue');
  const parentOf = ({ path }: Resource) => path.split('/').slice(0, -2).join('/');
  const working = queues.filter(({ properties }) => properties.RedrivePolicy !== undefined);
  const functions = stack.all('AWS::Lambda::Function').filter(({ path }) => !path.includes('Custom::'));
  const tables = stack.all('AWS::DynamoDB::Table');

  /** The alarms that each queue, function, table and rule must have. A missing alarm throws. */
  const rules: Readonly<Record<string, () => void>> = {
    'include, for each dead-letter queue, one on its first message': () => {
      for (const queue of queues.filter((each) => !working.includes(each))) {
        const alarm = alarmOn('AWS/SQS', 'ApproximateNumberOfMessagesVisible', queue);
        expect(alarm).toMatchObject({
          limit: '>= 1 in 1 of 1',
          periodSeconds: 60,
          metrics: [{ statistic: 'Maximum' }],
        });
      }
    },
    'include, for each dead-letter queue, one on the age of its oldest message, days before it expires': () => {
      for (const queue of working) {
        const deadLetters = queues.find((each) => !working.includes(each) && each.path.startsWith(parentOf(queue)));
        if (!deadLetters) throw new Error(`${queue.path} has no dead-letter queue.`);
        const alarm = alarmOn('AWS/SQS', 'ApproximateAgeOfOldestMessage', deadLetters);
        const days = Number(/^>= (\d+) in 1 of 1$/.exec(alarm.limit)?.[1]) / 86_400;
        const daysOf = ({ properties }: Resource) => Number(properties.MessageRetentionPeriod) / 86_400;
        expect(days).toBe(4);
        expect(daysOf(deadLetters) - daysOf(queue) - days).toBeGreaterThanOrEqual(3);
      }
    },
    'include, for each queue, one on the age of its oldest message': () => {
      for (const queue of working) {
        const alarm = alarmOn('AWS/SQS', 'ApproximateAgeOfOldestMessage', queue);
        const name =
          queue.path
            .split('/')
            .at(1)
            ?.replace(/Queue$/, '') ?? '';
        expect(alarm.limit).toBe(`>= ${Number(oldestMessageMinutes[name]) * 60} in 1 of 1`);
        expect(Number(queue.properties.MessageRetentionPeriod)).toBeGreaterThanOrEqual(7 * 86_400);
        expect(alarm.metrics).toMatchObject([{ statistic: 'Maximum' }]);
      }
    },
    'include, for each function, one on an error rate over 1 %': () => {
      for (const one of functions) {
        const alarm = alarmOn('AWS/Lambda', 'Errors', one);
        const own = alarm.metrics.filter((metric) => isOf(metric, one));
        expect(own.map(({ name, statistic }) => [name, statistic])).toEqual([
          ['Errors', 'Sum'],
          ['Invocations', 'Sum'],
        ]);
        const [errors, invocations] = own.map(({ id }) => id);
        expect(partOf(alarm, one)).toBe(`IF(${invocations} > 0, 100 * ${errors} / ${invocations}, 0)`);
        expect(alarm.expression).toBe(`MAX([${alarm.parts.map(({ id }) => id).join(', ')}])`);
        expect(alarm.limit).toBe('> 1 in 2 of 3');
      }
    },
    'include, for each function, one on its first throttle': () => {
      for (const one of functions) {
        const { resource, metrics, expression, limit } = alarmOn('AWS/Lambda', 'Throttles', one);
        expect(String(resource.properties.AlarmDescription)).toMatch(new RegExp(`[:,] ${nameOf(one)}[,.]`));
        expect(new Set(metrics.map(({ name, statistic }) => `${name} ${statistic}`))).toEqual(
          new Set(['Throttles Sum']),
        );
        expect(expression).toBe(`SUM([${metrics.map(({ id }) => id).join(', ')}])`);
        expect(limit).toBe('>= 1 in 1 of 1');
      }
    },
    'include, for each function, one on a p99 duration over 80 % of its timeout': () => {
      for (const one of functions) {
        const alarm = alarmOn('AWS/Lambda', 'Duration', one, ofSeveral);
        const own = alarm.metrics.filter((metric) => isOf(metric, one));
        expect(own).toMatchObject([{ name: 'Duration', statistic: 'p99' }]);
        expect(partOf(alarm, one)).toBe(`100 * ${own[0]?.id} / ${Number(one.properties.Timeout) * 1000}`);
        expect(alarm.expression).toBe(`MAX([${alarm.parts.map(({ id }) => id).join(', ')}])`);
        expect(alarm.limit).toBe('> 80 in 2 of 3');
      }
    },
    'include, for the API, one on a 5xx rate over 1 %': () => {
      for (const api of stack.all('AWS::ApiGatewayV2::Api')) {
        const { metrics, expression, limit } = alarmOn('AWS/ApiGateway', '5xx', api);
        expect(metrics.map(({ name, statistic }) => [name, statistic])).toEqual([
          ['5xx', 'Sum'],
          ['Count', 'Sum'],
        ]);
        expect(metrics.every((metric) => isOf(metric, api))).toBe(true);
        expect(expression).toBe('IF(mCount > 0, 100 * m5xx / mCount, 0)');
        expect(limit).toBe('> 1 in 2 of 3');
      }
    },
    'include, for the API, one on a p99 latency of three seconds': () => {
      for (const api of stack.all('AWS::ApiGatewayV2::Api')) {
        expect(alarmOn('AWS/ApiGateway', 'Latency', api)).toMatchObject({
          limit: '>= 3000 in 2 of 3',
          metrics: [{ statistic: 'p99' }],
        });
      }
    },
    'include, for each table, one on system errors': () => {
      for (const table of tables) {
        expect(alarmOn('AWS/DynamoDB', 'SystemErrors', table).limit).toBe('>= 5 in 2 of 3');
      }
    },
    'include, for each table, one on throttles': () => {
      for (const table of tables) {
        expect(alarmOn('AWS/DynamoDB', 'ThrottledRequests', table).limit).toBe('>= 1 in 2 of 3');
      }
    },
    'include, for each table, one on transaction conflicts': () => {
      for (const table of tables) {
        const alarm = alarmOn('AWS/DynamoDB', 'TransactionConflict', table);
        expect(alarm).toMatchObject({ limit: '>= 300 in 3 of 3', metrics: [{ statistic: 'Sum' }] });
      }
    },
    'include, for each rule, one on failed deliveries of EventBridge': () => {
      for (const rule of stack.all('AWS::Events::Rule'))
        expect(alarmOn('AWS/Events', 'FailedInvocations', rule).limit).toBe('>= 1 in 1 of 1');
    },
    'include, for Transcribe, one on throttles and limits for half an hour': () => {
      expect(own('TranscribeBusy')).toMatchObject({ limit: '>= 1 in 2 of 2', periodSeconds: 900 });
    },
    'include, for transcriptions, one on a p90 of three hours from create to ready': () => {
      expect(own('TimeToReady', 'p90')).toMatchObject({ limit: '>= 10800 in 1 of 1', periodSeconds: 3600 });
    },
    'include, for the reconciler, those on jobs that it heals and gives up': () => {
      expect(own('JobsHealed')).toMatchObject({ limit: '>= 3 in 1 of 1', periodSeconds: 3600 });
      expect(own('JobsGivenUp').limit).toBe('>= 1 in 1 of 1');
    },
    'include, for room events, one on their lag, which goes on when their age starts again': () => {
      expect(own('RoomEventLag', 'p99')).toMatchObject({ limit: '>= 300000 in 1 of 1', periodSeconds: 300 });
    },
    'include, for bulk deletes, one on the age of the oldest request': () => {
      expect(own('BulkDeleteAge', 'Maximum')).toMatchObject({ limit: '>= 21600 in 1 of 1', periodSeconds: 300 });
    },
    'include, for room events, one on participants with more events than count': () => {
      expect(own('ParticipantsBeyondLimit')).toMatchObject({ limit: '>= 1 in 1 of 1', periodSeconds: 3600 });
    },
    'include, for webhooks, those on refused ones and on files elsewhere': () => {
      expect(own('HooksRefused')).toMatchObject({ limit: '>= 10 in 1 of 1', periodSeconds: 300 });
      expect(own('HookFilesRefused')).toMatchObject({ limit: '>= 1 in 1 of 1', periodSeconds: 300 });
      expect(own('HookEventsDropped')).toMatchObject({ limit: '>= 1 in 1 of 1', periodSeconds: 300 });
    },
    'include, for webhooks, one on every 413 of their route, also by the gateway, which never calls the function':
      () => {
        const [namespace, name] = [`${metricsNamespace}/AccessLog`, `${stack.stackName}/HooksTooLarge`];
        const alarm = alarmOn(namespace, name);
        expect(alarm).toMatchObject({ limit: '>= 1 in 1 of 1', periodSeconds: 300, metrics: [{ statistic: 'Sum' }] });
        const filters = stack
          .all('AWS::Logs::MetricFilter')
          .filter(({ properties }) => at(properties, 'MetricTransformations', 0, 'MetricNamespace') === namespace);
        const [gateway] = stack.all('AWS::ApiGatewayV2::Stage');
        const log = stack
          .all('AWS::Logs::LogGroup')
          .find(({ id }) => refersTo(gateway?.properties.AccessLogSettings, id));
        expect(filters).toHaveLength(1);
        expect(log && refersTo(filters[0]?.properties.LogGroupName, log.id)).toBe(true);
        expect(filters[0]?.properties).toMatchObject({
          FilterPattern:
            '{ ($.status = "413") && (($.routeKey = "POST /v1/hooks/{connectionId}/{proxy+}") || ($.routeKey = "-")) }',
          MetricTransformations: [{ MetricName: name, MetricValue: '1' }],
        });
      },
    'include, for webhooks, one on a p99 of one second for an answer': () => {
      const receiver = functions.find(({ path }) => path.includes('/receive-hook/'));
      expect(receiver).toBeDefined();
      expect(alarmOn('AWS/Lambda', 'Duration', receiver, ofOne)).toMatchObject({
        limit: '>= 1000 in 2 of 3',
        metrics: [{ statistic: 'p99' }],
      });
    },
    'include, for the workers whose work nobody else repairs, one on missing runs': () => {
      const onMissing = alarms.filter(({ limit }) => limit.startsWith('<'));
      for (const name of ['reconcile-transcriptions', 'settle-sessions', 'sweep-notices']) {
        const worker = functions.find(({ path }) => path.includes(`/${name}/`));
        const [alarm, ...more] = onMissing.filter(({ metrics }) => worker && metrics.every((one) => isOf(one, worker)));
        if (!alarm || more.length > 0) throw new Error(`There is not one alarm on missing runs of ${name}.`);
        expected.add(alarm);
        expect(alarm).toMatchObject({ limit: '< 1 in 1 of 1', periodSeconds: 600, metrics: [{ name: 'Invocations' }] });
        expect(alarm.resource.properties.TreatMissingData).toBe('breaching');
      }
    },
    'include, for notices, those on the ages of records and notices, and on what the sweep relays': () => {
      const relay = functions.find(({ path }) => path.includes('/relay-notices/'));
      expect(alarmOn('AWS/Lambda', 'IteratorAge', relay)).toMatchObject({
        limit: '>= 300000 in 1 of 1',
        metrics: [{ statistic: 'Maximum' }],
      });
      expect(own('NoticeAge', 'Maximum')).toMatchObject({ limit: '>= 1800 in 1 of 1', periodSeconds: 300 });
      expect(own('NoticesHealed')).toMatchObject({ limit: '>= 1 in 2 of 3', periodSeconds: 3600 });
    },
    'include, for webhooks of organizations, those on calls of which none succeeds, and on what is given up': () => {
      const { metrics, expression, limit, periodSeconds } = alarmOn(metricsNamespace, 'DeliveriesFailed');
      expect(metrics.map(({ id, name, statistic }) => [id, name, statistic])).toEqual([
        ['made', 'DeliveriesMade', 'Sum'],
        ['failed', 'DeliveriesFailed', 'Sum'],
      ]);
      for (const { dimensions } of metrics) expect(dimensions).toEqual({ [metricsDimension]: stack.stackName });
      expect([expression, limit, periodSeconds]).toEqual(['IF(FILL(made, 0) > 0, 0, failed)', '>= 30 in 1 of 1', 3600]);
      expect(own('DeliveriesGivenUp')).toMatchObject({ limit: '>= 1 in 1 of 1', periodSeconds: 3600 });
      expect(own('WebhooksDisabled')).toMatchObject({ limit: '>= 1 in 1 of 1', periodSeconds: 300 });
    },
  };

  test.each(Object.entries(rules))('%s', (_name, rule) => rule());

  test('are only the alarms that the rules expect', () => {
    for (const rule of Object.values(rules)) rule();
    expect(watching.filter((alarm) => !expected.has(alarm)).map(({ resource }) => resource.path)).toEqual([]);
  });

  test('count errors and throttles of every operation that a function may use on a table', () => {
    const statements = stack.all('AWS::IAM::Role').flatMap((role) => statementsOfRole(stack, role));
    for (const table of tables) {
      const allowed = statements
        .filter(({ resources }) => refersTo(resources, table.id))
        .flatMap(({ actions }) => actions.map(String))
        .map((action) => action.replace('dynamodb:', ''))
        .filter((action) => !readsStream.test(action)); // DynamoDB counts them by stream
      expect(allowed).not.toEqual([]);
      for (const name of ['SystemErrors', 'ThrottledRequests']) {
        const { metrics, expression } = alarmOn('AWS/DynamoDB', name, table);
        const operations = metrics.map(({ dimensions }) => dimensions.Operation);
        expect(operations).toEqual(expect.arrayContaining(allowed));
        expect(operations.includes('TransactWriteItems')).toBe(allowed.some((one) => /^(Put|Update|Delete)/.test(one)));
        for (const operation of operations) expect(String(expression)).toContain(String(operation));
        expect(metrics.every(({ statistic }) => statistic === 'Sum')).toBe(true);
      }
    }
  });

  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDataQuery.html
  test("stay within CloudWatch's limits for the metrics and expressions of one alarm", () => {
    for (const { resource, metrics, expression, parts } of alarms) {
      expect([resource.path, metrics.length <= 10]).toEqual([resource.path, true]);
      expect(parts.length + (expression === undefined ? 0 : 1)).toBeLessThanOrEqual(10);
      expect(String(resource.properties.AlarmDescription).length).toBeLessThanOrEqual(1024);
    }
  });

  test('on functions are as few as those limits allow', () => {
    for (const [metric, perAlarm] of Object.entries({ Errors: 5, Throttles: 10, Duration: 9 })) {
      const found = ofSeveral.filter(({ metrics }) => metrics.some(({ name }) => name === metric));
      expect([metric, found.length]).toEqual([metric, Math.ceil(functions.length / perAlarm)]);
    }
  });

  test('have a period of five minutes, unless a rule sets another', () => {
    const seconds: Readonly<Record<string, number>> = {
      ApproximateNumberOfMessagesVisible: 60,
      ApproximateAgeOfOldestMessage: 60,
      TranscribeBusy: 900,
      TimeToReady: 3600,
      JobsHealed: 3600,
      ParticipantsBeyondLimit: 3600,
      NoticesHealed: 3600,
      DeliveriesMade: 3600,
      DeliveriesGivenUp: 3600,
    };
    for (const { resource, metrics, limit, periodSeconds } of watching) {
      const usual = limit.startsWith('<') ? 600 : 300;
      expect([resource.path, periodSeconds]).toEqual([resource.path, seconds[metrics[0]?.name ?? ''] ?? usual]);
    }
  });

  /** The parts of an alarm's description: severity, meaning, and section of the runbook. */
  function described({ resource }: AlarmFacts) {
    const [, severity, meaning, section] =
      /^(Urgent|Can wait until morning): (.{20,}\.) What to do: docs\/operations\/alarms\.md#([a-z-]+)$/.exec(
        String(resource.properties.AlarmDescription),
      ) ?? [];
    return { severity, meaning, section };
  }

  test('have a description that states severity and meaning and names the section of the runbook', () => {
    for (const alarm of alarms) {
      const { meaning, section } = described(alarm);
      expect([alarm.resource.path, meaning]).toEqual([alarm.resource.path, expect.any(String)]);
      expect(sections).toContain(section);
    }
  });

  test('are each in one row of docs/operations/alarms.md, with severity and section', () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const alarm of alarms) {
      const name = alarm.resource.path.split('/').at(-2) ?? '';
      const { severity, section } = described(alarm);
      const found = rows.filter(({ pattern }) => pattern.test(name));
      expect([name, ...found]).toEqual([name, expect.objectContaining({ wakes: severity === 'Urgent', section })]);
    }
  });

  test('treat missing data as not breaching, except for metrics that must have data', () => {
    for (const { resource, limit } of alarms) {
      expect(resource.properties.TreatMissingData).toBe(limit.startsWith('<') ? 'breaching' : 'notBreaching');
    }
  });

  const topicOf = (severity: string) => {
    const [topic] = stack.all('AWS::SNS::Topic').filter(({ path }) => path.includes(`/${severity}/`));
    if (!topic) throw new Error(`There is no ${severity} topic.`);
    return { Ref: topic.id };
  };

  test('notify the topic of their severity when they enter ALARM and when they return to OK', () => {
    for (const alarm of alarms) {
      const { properties } = alarm.resource;
      const topic = topicOf(described(alarm).severity === 'Urgent' ? 'Urgent' : 'Routine');
      expect(properties.ActionsEnabled).not.toBe(false);
      expect(properties.AlarmActions).toEqual([topic]);
      expect(properties.OKActions).toEqual([topic]);
    }
    expect(new Set(alarms.map((alarm) => described(alarm).severity)).size).toBe(2);
    expect(stack.all('AWS::SNS::Subscription').map(({ properties }) => properties)).toEqual([
      { Protocol: 'email', Endpoint: 'pager@example.com', TopicArn: topicOf('Urgent') },
      { Protocol: 'email', Endpoint: 'ops@example.com', TopicArn: topicOf('Routine') },
    ]);
  });
});

test('alarms link to the runbook of the deployed commit if the repository is known', () => {
  const repository = { url: 'https://github.com/example/roomscribe', commit: '0d3cf4c' };
  for (const { resource } of alarmsOf(stackOf('prod', { config: { repository } })))
    expect(String(resource.properties.AlarmDescription)).toMatch(
      / What to do: https:\/\/github\.com\/example\/roomscribe\/blob\/0d3cf4c\/docs\/operations\/alarms\.md#[a-z-]+$/,
    );
});
