import { describe, expect, test } from 'vitest';
import { stageConfig, stageNames } from '#infra/settings/stages.ts';
import {
  at,
  type Resource,
  refersTo,
  type SynthesizedStack,
  stackOf,
  statementsOf,
} from '../support/infra/templates.ts';

const mediaServer = 'arn:aws:iam::210987654321:role/media-server';
const account = 'arn:aws:iam::210987654322:root';

/** The actions and resources that queue and bucket policies allow to principals that are not AWS services. */
function allowedToAccounts(stack: SynthesizedStack) {
  return [...stack.all('AWS::SQS::QueuePolicy'), ...stack.all('AWS::S3::BucketPolicy')].flatMap(({ properties }) =>
    statementsOf(properties.PolicyDocument)
      .filter(({ effect, principal }) => effect === 'Allow' && at(principal, 'Service') === undefined)
      .map(({ actions, resources, principal }) => ({ actions, resources, principal: at(principal, 'AWS') })),
  );
}

describe.each(stageNames)('the stack of %s', (stage) => {
  test('grants no rights to another account by default', () => {
    const own = JSON.stringify(allowedToAccounts(stackOf(stage)).map(({ principal }) => principal));
    expect(own).not.toMatch(/\d{12}|"\*"/);
  });

  test('lets the configured principals send events, samples and recordings, and nothing else', () => {
    const stack = stackOf(stage, { config: { platformPrincipals: [mediaServer, account] } });
    const found = allowedToAccounts(stack).filter(({ principal }) =>
      JSON.stringify(principal).includes('media-server'),
    );
    expect(found.map(({ actions, principal }) => [actions, principal])).toEqual([
      [['sqs:SendMessage'], [mediaServer, account]],
      [['sqs:SendMessage'], [mediaServer, account]],
      [['s3:PutObject'], [mediaServer, account]],
    ]);
    const named = (type: string): Resource[] =>
      stack.all(type).filter(({ id }) => found.some(({ resources }) => refersTo(resources, id)));
    expect(named('AWS::SQS::Queue').map(({ path }) => path.split('/')[1])).toEqual([
      'roomEventsQueue',
      'networkSamplesQueue',
    ]);
    expect(named('AWS::S3::Bucket').map(({ path }) => path.split('/')[1])).toEqual(['RecordingsBucket']);
  });

  test('accepts platformPrincipals as ARNs separated by commas, without wildcards', () => {
    const principalsFrom = (value?: string) =>
      stageConfig(stage, (key) => (key === 'platformPrincipals' ? value : undefined)).platformPrincipals;
    expect(principalsFrom()).toEqual([]);
    expect(principalsFrom(`${mediaServer},${account}`)).toEqual([mediaServer, account]);
    for (const value of [
      '',
      '*',
      '210987654321',
      `${mediaServer}, ${account}`,
      'arn:aws:iam::*:root',
      'arn:aws:iam::210987654321:role/*',
    ])
      expect(() => principalsFrom(value)).toThrow('-c platformPrincipals must be ARNs');
  });
});
