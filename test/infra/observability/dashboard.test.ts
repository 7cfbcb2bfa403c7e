import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNames } from '#infra/settings/stages.ts';
import { metricsDimension, metricsNamespace, metricUnits } from '#shared/runtime/names.ts';
import { alarmsOf } from '../../support/infra/alarms.ts';
import { at, listOf, type SynthesizedStack, stackOf } from '../../support/infra/templates.ts';

const Widget = z.object({
  type: z.string(),
  x: z.number(),
  width: z.number(),
  properties: z.object({
    title: z.optional(z.string()),
    markdown: z.optional(z.string()),
    query: z.optional(z.string()),
    alarms: z._default(z.array(z.string()), []),
    metrics: z._default(z.array(z.array(z.unknown())), []),
  }),
});

const resourceIn = /^<([\w-]+)(?:\.(\w+))?>$/;

/** The widgets of the only dashboard. References to resources are written `<logicalId>` or `<logicalId.attribute>`. */
function widgetsOf(stack: SynthesizedStack) {
  const [dashboard, ...others] = stack.all('AWS::CloudWatch::Dashboard');
  if (others.length > 0) throw new Error('There is more than one dashboard.');
  const body = listOf(at(dashboard?.properties.DashboardBody, 'Fn::Join', 1))
    .map((part) => (typeof part === 'string' ? part : referenceOf(part)))
    .join('');
  return z.object({ widgets: z.array(Widget) }).parse(JSON.parse(body)).widgets;
}

function referenceOf(part: unknown): string {
  const [id, attribute] = listOf(at(part, 'Fn::GetAtt'));
  return id === undefined ? `<${at(part, 'Ref')}>` : `<${id}.${attribute}>`;
}

describe.each(stageNames)('the dashboard of %s', (stage) => {
  const stack = stackOf(stage);
  const widgets = widgetsOf(stack);
  const lines = widgets.flatMap(({ properties }) => properties.metrics);
  const shown = lines
    .filter((line) => typeof line[0] === 'string')
    .map(([namespace, name, ...rest]) => {
      const dimensions = rest.filter((part) => typeof part === 'string');
      const pairs = dimensions.flatMap((part, index) => (index % 2 ? [] : [[part, dimensions[index + 1] ?? '']]));
      return {
        namespace: String(namespace),
        name: String(name),
        dimensions: Object.fromEntries(pairs) as Record<string, string>,
      };
    });
  const expressions = lines.map((line) => at(line.at(-1), 'expression')).filter((found) => found !== undefined);
  const typeOf = (reference = '') => stack.resources.find(({ id }) => id === resourceIn.exec(reference)?.[1])?.type;

  /** Checks that a metric of AWS is about one resource of this stack, and of the service that its namespace names. */
  function assertOfThisStack(namespace: string, name: string, dimensions: Readonly<Record<string, string>>): void {
    const references = Object.values(dimensions).filter((value) => resourceIn.test(value));
    expect([name, references.length]).toEqual([name, 1]);
    const ofService = expect.stringMatching(new RegExp(`^${namespace.replace('/', '::')}`));
    expect([name, typeOf(references[0])]).toEqual([name, ofService]);
  }

  test('shows only metrics of its own stack', () => {
    expect(shown.length).toBeGreaterThan(stack.all('AWS::Lambda::Function').length);
    for (const { namespace, name, dimensions } of shown) {
      if (namespace !== metricsNamespace) assertOfThisStack(namespace, name, dimensions);
      else {
        expect(Object.keys(metricUnits)).toContain(name);
        expect(dimensions).toEqual({ [metricsDimension]: stack.stackName });
      }
    }
  });

  test('searches only for metrics of its own tables', () => {
    const searches = expressions.map(String).filter((expression) => expression.includes('SEARCH'));
    expect(searches.length).toBe(stack.all('AWS::DynamoDB::Table').length * 2);
    for (const search of searches) {
      const [, namespace, names, table, name] =
        /^SUM\(SEARCH\('\{([\w/]+),([\w,]+)\} TableName="(<[\w-]+>)" MetricName="(\w+)"', 'Sum'\)\)$/.exec(search) ??
        [];
      expect(names).toBe('TableName,GlobalSecondaryIndexName');
      assertOfThisStack(String(namespace), String(name), { TableName: String(table) });
    }
  });

  test('computes expressions only from metrics of the same graph', () => {
    for (const { properties } of widgets) {
      const ids = new Set(properties.metrics.map((line) => at(line.at(-1), 'id')));
      for (const line of properties.metrics) {
        const expression = String(at(line.at(-1), 'expression') ?? '').replace(/SEARCH\('.*?', 'Sum'\)/, '');
        for (const [name] of expression.matchAll(/\b[a-z]\w*\b/g)) expect(ids).toContain(name);
      }
    }
  });

  test('shows every metric of the service, and a function writes each of them', () => {
    const own = new Set(shown.filter(({ namespace }) => namespace === metricsNamespace).map(({ name }) => name));
    expect([...own].sort()).toEqual(Object.keys(metricUnits).sort());
    const sources = [...globSync('functions/**/*.ts'), 'shared/runtime/metrics.ts'].map((file) =>
      readFileSync(file, 'utf8'),
    );
    for (const name of own) expect([name, sources.some((source) => source.includes(name))]).toEqual([name, true]);
  });

  test('shows the four golden signals of every function, with endpoints and workers apart', () => {
    const functions = stack.all('AWS::Lambda::Function').filter(({ path }) => !path.includes('Custom::'));
    for (const { id, path } of functions) {
      const signals = widgets
        .filter(({ properties }) =>
          properties.metrics.some((line) => line[0] === 'AWS/Lambda' && line.includes(`<${id}>`)),
        )
        .map(({ properties }) => properties.title);
      expect([path, signals]).toEqual([
        path,
        [
          'Calls',
          'Crashes and timeouts (left), throttles (right)',
          'Duration, p99',
          'Running at once',
          ...(path.includes('/relay-notices/') ? ['Age of the oldest record of the stream, ms'] : []),
          'Lambda, GB-seconds',
        ],
      ]);
    }
    expect(
      widgets
        .filter(({ properties }) => properties.title === 'Calls')
        .map(({ properties }) => properties.metrics.length),
    ).toEqual([
      functions.filter(({ path }) => path.includes('/Api')).length,
      functions.filter(({ path }) => !path.includes('/Api')).length,
    ]);
  });

  test('shows the depth and age of every queue, and the depth of every dead-letter queue', () => {
    for (const { id, properties } of stack.all('AWS::SQS::Queue')) {
      const names = shown
        .filter(({ dimensions }) => dimensions.QueueName === `<${id}.QueueName>`)
        .map(({ name }) => name);
      const depth = 'ApproximateNumberOfMessagesVisible';
      const ofAll = [depth, 'ApproximateAgeOfOldestMessage', 'NumberOfMessagesSent'];
      expect(names).toEqual(properties.RedrivePolicy === undefined ? [depth] : ofAll);
    }
  });

  test('shows the transcription funnel in order, and the lag of insights', () => {
    const namesIn = (title: string) =>
      widgets
        .filter(({ properties }) => properties.title?.startsWith(title))
        .flatMap(({ properties }) => properties.metrics.map((line) => line[1]));
    expect(namesIn('Transcriptions, in the selected time range')).toEqual([
      'TranscriptionsCreated',
      'TranscriptionsStarted',
      'TranscriptionsReady',
      'TranscriptionsFailed',
      'TranscriptionsDeleted',
    ]);
    expect(new Set(namesIn('Insight lag'))).toEqual(new Set(['RoomEventLag', 'NetworkSampleLag']));
  });

  test('shows notices on their way out, deliveries, and webhooks whose receivers are down', () => {
    const namesIn = (title: string) =>
      widgets
        .filter(({ properties }) => properties.title === title)
        .flatMap(({ properties }) => properties.metrics.map((line) => line[1]));
    expect(namesIn('Notices')).toEqual(['SessionEndsTold', 'NoticesRelayed', 'NoticeEventsPut', 'NoticesHealed']);
    expect(namesIn('Deliveries')).toEqual(['DeliveriesMade', 'DeliveriesFailed', 'DeliveriesGivenUp']);
    expect(namesIn('Webhooks whose receivers are down')).toEqual(['WebhooksParked', 'WebhooksDisabled']);
    expect(namesIn('Age of the oldest record of the stream, ms')).toEqual(['IteratorAge']);
  });

  test('queries only fields that the API access log has', () => {
    const queries = widgets.map(({ properties }) => properties.query).filter((query) => query !== undefined);
    expect(queries).toHaveLength(1);
    const [stage] = stack.all('AWS::ApiGatewayV2::Stage');
    const [logGroup] = listOf(at(stage?.properties.AccessLogSettings, 'DestinationArn', 'Fn::GetAtt'));
    expect(queries[0]).toContain(`SOURCE '<${logGroup}>'`);
    const fields = Object.keys(JSON.parse(String(at(stage?.properties.AccessLogSettings, 'Format'))));
    for (const [, field] of String(queries[0]).matchAll(/pct\((\w+),/g)) expect(fields).toContain(field);
    expect(fields).toEqual(expect.arrayContaining(['routeKey', 'status']));
  });

  test('shows every alarm, with at most a hundred in one widget', () => {
    const states = widgets.map(({ properties }) => properties.alarms).filter((alarms) => alarms.length > 0);
    for (const alarms of states) expect(alarms.length).toBeLessThanOrEqual(100); // limit of CloudWatch
    expect(states.flat().sort()).toEqual(
      alarmsOf(stack)
        .map(({ resource }) => `<${resource.id}.Arn>`)
        .sort(),
    );
  });

  test('fits the width of the page', () => {
    for (const { x, width } of widgets) expect(x + width).toBeLessThanOrEqual(24);
  });
});
