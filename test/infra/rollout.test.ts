import { describe, expect, test } from 'vitest';
import { stageConfig, stageNames } from '#infra/settings/stages.ts';
import { envNames } from '#shared/runtime/names.ts';
import { alarmsOf, isOf, rollsBack } from '../support/infra/alarms.ts';
import {
  at,
  listOf,
  type Resource,
  refersTo,
  type SynthesizedStack,
  stackOf,
  statementsOfRole,
} from '../support/infra/templates.ts';

/** The only resource of a type that refers to a function. */
function ofFunction(stack: SynthesizedStack, type: string, { id }: Resource): Resource {
  const [found, ...others] = stack.all(type).filter(({ properties }) => refersTo(properties.FunctionName, id));
  if (!found || others.length > 0) throw new Error(`Expected exactly one ${type} of ${id}.`);
  return found;
}

/** The nested stack that contains a resource. Empty for the parent stack. */
const stackOfResource = ({ id }: Resource) => /^(\w+)-/.exec(id)?.[1] ?? '';

describe.each(stageNames)('the functions of %s', (stage) => {
  const stack = stackOf(stage);
  const functions = stack.all('AWS::Lambda::Function');

  test('each have one alias that points to the deployed version', () => {
    for (const one of functions) {
      const alias = ofFunction(stack, 'AWS::Lambda::Alias', one);
      const version = ofFunction(stack, 'AWS::Lambda::Version', one);
      expect(alias.properties).toMatchObject({
        Name: 'live',
        FunctionVersion: { 'Fn::GetAtt': [version.id, 'Version'] },
      });
    }
  });

  test('are called only by their alias', () => {
    const callers = [
      ...stack.all('AWS::ApiGatewayV2::Integration').map(({ properties }) => properties.IntegrationUri),
      ...stack.all('AWS::ApiGatewayV2::Authorizer').map(({ properties }) => properties.AuthorizerUri),
      ...stack.all('AWS::Lambda::EventSourceMapping').map(({ properties }) => properties.FunctionName),
      ...stack
        .all('AWS::Events::Rule')
        .filter(({ properties }) => properties.ScheduleExpression !== undefined)
        .flatMap(({ properties }) => listOf(properties.Targets)),
    ];
    expect(new Set(callers.map((caller) => stack.called(caller).id))).toEqual(new Set(functions.map(({ id }) => id)));
    for (const caller of callers)
      for (const { id } of functions) expect([id, refersTo(caller, id)]).toEqual([id, false]);
  });

  test('grant the right to call them only on their alias', () => {
    for (const { properties } of stack.all('AWS::Lambda::Permission'))
      expect(functions).toContain(stack.called(properties.FunctionName));
  });

  test('get a new version only if their settings change', () => {
    const other = stackOf(stage, { config: { rateLimitPointsPerMinute: 77 } });
    for (const one of functions) {
      const version = ofFunction(stack, 'AWS::Lambda::Version', one);
      const isLimited = at(one.properties, 'Environment', 'Variables', envNames.rateLimitPointsPerMinute) !== undefined;
      const isSame = other.resources.some(({ id }) => id === version.id);
      expect([one.path, isSame]).toEqual([one.path, !isLimited]);
    }
  });

  test('keep earlier versions only if the stage keeps its data, and never those of a failed deployment', () => {
    const kept = { deletionPolicy: 'RetainExceptOnCreate', updateReplacePolicy: 'Retain' };
    const gone = { deletionPolicy: 'Delete', updateReplacePolicy: 'Delete' };
    for (const version of stack.all('AWS::Lambda::Version'))
      expect(version).toMatchObject(stage === 'prod' ? kept : gone);
  });
});

test('dev switches to new code at once and has no CodeDeploy resources', () => {
  const { resources, all } = stackOf('dev');
  expect(resources.filter(({ type }) => type.includes('CodeDeploy'))).toEqual([]);
  expect(all('AWS::Logs::MetricFilter').map(({ path }) => path)).toEqual([expect.stringContaining('/LargeHooks/')]);
  for (const { updatePolicy } of all('AWS::Lambda::Alias')) expect(updatePolicy).toBeUndefined();
});

describe('new code in prod', () => {
  const stack = stackOf('prod');
  const functions = stack.all('AWS::Lambda::Function');
  const alarms = alarmsOf(stack).filter((alarm) => rollsBack(stack, alarm));
  const groups = stack.all('AWS::CodeDeploy::DeploymentGroup');
  /** Each function with its alias, and the deployment group that updates the alias. */
  const deployed = functions.map((one) => {
    const alias = ofFunction(stack, 'AWS::Lambda::Alias', one);
    const { DeploymentGroupName, ApplicationName } = Object(at(alias.updatePolicy, 'CodeDeployLambdaAliasUpdate'));
    const group = stack.referred(DeploymentGroupName, 'AWS::CodeDeploy::DeploymentGroup');
    return { one, alias, group, application: stack.referred(ApplicationName, 'AWS::CodeDeploy::Application') };
  });
  const alarmsOfGroup = (group: Resource) =>
    alarms.filter(({ resource }) => refersTo(group.properties.AlarmConfiguration, resource.id));

  test('is deployed by one deployment group for each function and one application for each stack', () => {
    expect(new Set(deployed.map(({ group }) => group.id)).size).toBe(functions.length);
    expect(groups).toHaveLength(functions.length);
    const applications = stack.all('AWS::CodeDeploy::Application');
    expect(new Set(applications.map(stackOfResource)).size).toBe(applications.length);
    for (const { one, application, group } of deployed) {
      expect(stackOfResource(application)).toBe(stackOfResource(one));
      expect(stackOfResource(group)).toBe(stackOfResource(one));
      expect(refersTo(group.properties.ApplicationName, application.id)).toBe(true);
    }
  });

  test('receives a tenth of the calls for five minutes first, and is rolled back automatically', () => {
    for (const { properties } of groups) {
      expect(properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
        AlarmConfiguration: { Enabled: true },
      });
    }
  });

  test('is rolled back by an alarm on the absolute number of its own errors', () => {
    for (const { one, group } of deployed) {
      const version = ofFunction(stack, 'AWS::Lambda::Version', one);
      const [alarm, ...others] = alarmsOfGroup(group).filter(({ metrics }) =>
        metrics.some((metric) => isOf(metric, one)),
      );
      expect(others).toEqual([]);
      expect(alarm).toMatchObject({ expression: 'SUM([crashes, errors])', limit: '>= 1 in 2 of 5', periodSeconds: 60 });
      const [crashes, errors] = alarm?.metrics ?? [];
      expect(crashes).toEqual({
        id: 'crashes',
        namespace: 'AWS/Lambda',
        name: 'Errors',
        statistic: 'Sum',
        dimensions: {
          FunctionName: { Ref: one.id },
          Resource: { 'Fn::Join': ['', [{ Ref: one.id }, ':live']] },
          ExecutedVersion: { 'Fn::GetAtt': [version.id, 'Version'] },
        },
      });
      const logGroup = stack.referred(one.properties.LoggingConfig, 'AWS::Logs::LogGroup');
      const [filter, ...more] = stack
        .all('AWS::Logs::MetricFilter')
        .filter(({ properties }) => refersTo(properties.LogGroupName, logGroup.id));
      expect(more).toEqual([]);
      const [before, number, after] = listOf(at(filter?.properties.FilterPattern, 'Fn::Join', 1));
      expect([before, after]).toEqual(['{ $.level = "ERROR" && $.version = "', '" }']);
      expect(number).toEqual({ 'Fn::GetAtt': [version.id, 'Version'] });
      expect(filter?.properties.MetricTransformations).toEqual([
        { MetricNamespace: errors?.namespace, MetricName: errors?.name, MetricValue: '1' },
      ]);
      expect(errors).toMatchObject({ statistic: 'Sum', dimensions: {} });
    }
    const counted = stack
      .all('AWS::Logs::MetricFilter')
      .filter(({ path }) => !path.includes('/LargeHooks/'))
      .map(({ properties }) => at(properties.MetricTransformations, 0));
    expect(new Set(counted.map((each) => at(each, 'MetricName'))).size).toBe(functions.length);
  });

  test('is rolled back by the 5xx alarm of the API if the API calls the function', () => {
    const [api] = stack.all('AWS::ApiGatewayV2::Api');
    const behindApi = [
      ...stack.all('AWS::ApiGatewayV2::Integration').map(({ properties }) => stack.called(properties.IntegrationUri)),
      ...stack.all('AWS::ApiGatewayV2::Authorizer').map(({ properties }) => stack.called(properties.AuthorizerUri)),
    ];
    for (const { one, group } of deployed) {
      const ofApi = alarmsOfGroup(group).filter(({ metrics }) => metrics.some((metric) => api && isOf(metric, api)));
      expect([one.path, ofApi.length]).toEqual([one.path, behindApi.includes(one) ? 1 : 0]);
      for (const alarm of ofApi) {
        expect(alarm).toMatchObject({ limit: '> 1 in 2 of 5', periodSeconds: 60 });
        expect(alarm.expression).toBe('IF(mCount > 0, 100 * m5xx / mCount, 0)');
      }
    }
  });

  test('receives its first call only when its alarms and filters exist', () => {
    for (const { one, alias, group } of deployed) {
      const filters = stack.all('AWS::Logs::MetricFilter').map(({ id }) => id);
      expect([one.path, alias.dependsOn.includes(group.id)]).toEqual([one.path, true]);
      expect(group.dependsOn.filter((id) => filters.includes(String(id)))).toHaveLength(1);
    }
  });

  test('is deployed by one role for each stack, which may only update its aliases and read alarms', () => {
    const roles = new Set(groups.map(({ properties }) => stack.referred(properties.ServiceRoleArn, 'AWS::IAM::Role')));
    expect(roles.size).toBe(stack.all('AWS::CodeDeploy::Application').length);
    const moved = [...roles].flatMap((role) => {
      expect(role.properties).not.toHaveProperty('ManagedPolicyArns');
      const [moving, looking, ...more] = statementsOfRole(stack, role);
      expect(more).toEqual([]);
      expect(looking).toMatchObject({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] });
      expect(moving?.actions).toEqual([
        'lambda:GetAlias',
        'lambda:UpdateAlias',
        'lambda:GetProvisionedConcurrencyConfig',
      ]);
      const own = functions.filter((one) => stackOfResource(one) === stackOfResource(role));
      const named = own.flatMap(({ id }) => {
        const arn = { 'Fn::GetAtt': [id, 'Arn'] };
        return [arn, { 'Fn::Join': ['', [arn, ':live']] }];
      });
      expect(moving?.resources).toHaveLength(named.length);
      expect(moving?.resources).toEqual(expect.arrayContaining(named));
      return own;
    });
    expect(new Set(moved).size).toBe(functions.length);
  });
});

describe.each(stageNames)('the canary of %s', (stage) => {
  const minutesOf = (value: string) =>
    stageConfig(stage, (key) => (key === 'canaryMinutes' ? value : undefined)).canaryMinutes;

  test('lasts for a duration that CodeDeploy supports, or is off', () => {
    expect([0, 5, 10, 15, 30].map((minutes) => minutesOf(String(minutes)))).toEqual([0, 5, 10, 15, 30]);
    for (const value of ['', '-5', '7', '5.0', 'none'])
      expect(() => minutesOf(value)).toThrow(`-c canaryMinutes must be one of 0, 5, 10, 15, 30, not "${value}".`);
  });

  test('can be made longer and switched off', () => {
    const longer = stackOf(stage, { config: { canaryMinutes: 30 } });
    for (const { properties } of longer.all('AWS::CodeDeploy::DeploymentGroup'))
      expect(properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent30Minutes');
    const off = stackOf(stage, { config: { canaryMinutes: 0 } });
    expect(off.text).not.toMatch(/CodeDeploy|Rollback/);
  });
});
