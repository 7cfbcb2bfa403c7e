import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { describe, expect, test } from 'vitest';
import { runOrganization } from '#tools/operations/organization/run.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { answering } from '../../support/fake-client.ts';

const region = 'eu-west-1';
/** Fails a test that reaches AWS, because the error is not a `UserError`. */
const fail = () => {
  throw new Error('The command called AWS.');
};
const dependencies = {
  cloudFormation: answering(new CloudFormationClient({ region }), fail).client,
  cognito: answering(new CognitoIdentityProviderClient({ region }), fail).client,
  openStores: fail,
  terminal: { show: fail, end: fail, print: fail },
  askSecret: fail,
};

describe('the command line of npm run organization', () => {
  test.each([
    [['create', 'acme'], 'No stage given. Use --stage dev or --stage prod.'],
    [['create', 'acme', '--stage', 'staging'], 'There is no stage "staging". Use --stage dev or --stage prod.'],
    [['create', 'acme', '--stage', 'toString'], 'There is no stage "toString"'],
    [['create', '--stage', 'prod'], 'No organization given.'],
    [['create', 'a/b', '--stage', 'prod'], 'must be 1 to 64 letters'],
    [['create', '', '--stage', 'prod'], 'must be 1 to 64 letters'],
    [['create', 'acme', 'other', '--stage', 'prod'], 'Too many arguments: "other".'],
    [['list', 'acme', '--stage', 'prod'], 'Too many arguments: "acme".'],
    [['--stage', 'prod'], 'No command given.'],
    [['toString', 'acme', '--stage', 'prod'], 'There is no command "toString".'],
    [['create', 'acme', '--drop', 'old', '--stage', 'prod'], 'Use --drop only with rotate.'],
    [['rotate', 'acme', '--drop', 'both', '--stage', 'prod'], '--drop must be old or new, not "both".'],
    [['rotate', 'acme', '--yes', '--stage', 'prod'], 'Use --yes only with delete, erase and disconnect.'],
    [['erase', '--stage', 'prod'], 'No organization given.'],
    [['erase', 'acme', '--yes', '--check', '--stage', 'prod'], 'Use either --yes or --check, not both.'],
    [['delete', 'acme', '--check', '--stage', 'prod'], 'Use --check only with erase.'],
    [['erase', 'acme'], 'No stage given.'],
    [['erase', 'acme', '--stage', 'prod', '--data-dir', '.local'], 'Use either --stage or --data-dir, not both.'],
    [
      ['delete', 'acme', '--data-dir', '.local', '--yes'],
      'Use --data-dir only with erase and the commands on connections.',
    ],
    [['create', 'acme', '--force', '--stage', 'prod'], "Unknown option '--force'"],
  ])('rejects %j before it calls AWS', async (args, problem) => {
    const error: unknown = await runOrganization(args, dependencies).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toContain(problem);
  });

  test('prints its usage with --help', async () => {
    const usage = await runOrganization(['--help'], dependencies);
    expect(usage).toContain('npm run organization -- <command> --stage <dev|prod>');
  });
});
