import { randomUUID } from 'node:crypto';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { describe, expect, test } from 'vitest';
import { runOrganization } from '#operations/organization/run.ts';
import { HelpText } from '#tools/shared/command-line.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { answering } from '../../support/client/fake-client.ts';

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

const id = 'c'.repeat(43);
const livekit = (...more: readonly string[]) => ['connect', 'acme', 'livekit', '--key-id', 'K', ...more];

const problemOf = (args: readonly string[]): Promise<unknown> =>
  runOrganization(args, dependencies).catch((error) => error);

describe('the command line of npm run organization', () => {
  test.each([
    [[], 'create <name>'],
    [['create', 'acme'], "Required option '--stage <name>' not specified"],
    [['erase', 'acme'], 'No stage given. Use --stage dev or --stage prod, or --data-dir.'],
    [['create', 'acme', '--stage', 'toString'], 'Allowed choices are dev, prod.'],
  ])('needs a command and a stage: %j', async (args, problem) => {
    const error = await problemOf(args);
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toContain(problem);
  });

  test.each([
    [['toString', 'acme'], "Unknown command 'toString'"],
    [['people', 'invite', 'acme'], "Unknown command 'invite'"],
    [['create'], "Missing required argument 'name'"],
    [['create', 'acme', 'other'], 'Too many arguments'],
    [['erase', 'acme', '--data-dir', '.local'], "'--data-dir <dir>' cannot be used with option '--stage <name>'"],
    [['delete', 'acme', '--data-dir', '.local', '--yes'], "Unknown option '--data-dir'"],
    [['delete', 'acme', '--external-id', 'x', '--yes'], "Unknown option '--external-id'"],
    [['rotate', 'acme', '--drop', 'both'], 'Allowed choices are old, new.'],
    [['erase', 'acme', '--yes', '--check'], "'--check' cannot be used with option '--yes'"],
    [['create', 'a/b'], 'The name of an organization must be 1 to 64 letters'],
    [['create', ''], 'must be 1 to 64 letters'],
    [['erase', 'acme', '--participant-id', ''], 'The id of a person must not be empty'],
    [['defaults', 'acme', '--clear', '--set', 'language=auto'], "'--clear' cannot be used with option '--set"],
    [['defaults', 'acme', '--set', 'channels=a,b'], 'There is no default "channels=a,b". The defaults are'],
    [['defaults', 'acme', '--set', 'language'], '--set language needs a value, as in'],
    [['defaults', 'acme', '--set', 'language=en'], 'language must be "auto", a code, or a list'],
    [['defaults', 'acme', '--set', 'maxSpeakers=many'], 'maxSpeakers must be a'],
    [['defaults', 'acme', '--set', 'multiLanguage=yes'], 'multiLanguage must be a boolean'],
    [
      ['defaults', 'acme', '--set', 'vocabularyFilter=rude'],
      'vocabularyFilter.method must be one of mask, remove, tag',
    ],
    [
      ['defaults', 'acme', '--set', 'vocabularyFilter=rude:mask:tag'],
      'vocabularyFilter.method must be one of mask, remove, tag',
    ],
    [['remove-webhook', 'acme', 'hook', '--yes'], '"hook" is not the id of a webhook. The command webhooks lists'],
    [['remove-webhook', 'acme', randomUUID()], 'also those that wait. Its secret is never used again.'],
    [['connect', 'acme', 'toString'], 'Allowed choices are livekit, daily, whereby, jaas, jitsi, bigbluebutton.'],
    [['connect', 'acme', 'daily', '--set', 'bucket'], '--set must be NAME=VALUE, not "bucket".'],
    [['connect', 'acme', 'daily', '--set', '=x'], '--set must be NAME=VALUE, not "=x".'],
    [['connect', 'acme', 'daily', '--set', 'a=1', '--set', 'a=2'], '--set gives a more than once.'],
    [['connect', 'acme', 'whereby', '--set', 'bucket=x'], 'There is no setting bucket.\nWhereby has no settings.'],
    [['connect', 'acme', 'whereby', '--set', '__proto__=x'], 'Whereby has no settings.'],
    [
      ['connect', 'acme', 'bigbluebutton', '--set', 'weakChecksum=yes'],
      'The setting weakChecksum is not valid: must be true.\nThe settings of BigBlueButton are weakChecksum.',
    ],
    [livekit('--set', 'buckets=x'), 'There is no setting buckets.\nThe settings of LiveKit are identityIs, '],
    [
      livekit('--set', 'identityIs=a'),
      'The setting identityIs is not valid: must be user or connection.\nThe settings of',
    ],
    [livekit('--set', 'a=1', '--set', 'identityIs='), 'The setting identityIs is not valid'],
    [['connect', 'acme', 'livekit'], 'LiveKit signs with an API key. Give the key with --key-id.'],
    [['connect', 'acme', 'livekit', '--key-id', 'a b'], 'Give the key with --key-id.'],
    [['connect', 'acme', 'daily', '--key-id', 'K'], 'Use no --key-id with Daily: its secrets have no ids.'],
    [['connect', 'acme', 'daily', '--secret-stdin'], 'Use no --secret-stdin with Daily: this command makes the secret'],
    [['rotate', 'acme', '--connection', 'short'], '"short" is not the id of a connection. The command connections'],
    [
      ['rotate', 'acme', '--connection', id, '--drop', 'old', '--secret-stdin'],
      "cannot be used with option '--secret-",
    ],
    [['rotate', 'acme', '--key-id', 'K'], 'Use --data-dir, --key-id and --secret-stdin only with --connection.'],
    [['rotate', 'acme', '--secret-stdin'], 'only with --connection.'],
    [['disconnect', 'acme', id], 'A new connection has another address. To confirm, add --yes.'],
    [['disconnect', 'acme', `${id}x`, '--yes'], 'is not the id of a connection.'],
    [['people', 'add', 'acme', 'anna', '--role', 'reader'], '"anna" is not an e-mail address.'],
    [['people', 'add', 'acme', 'anna@example.com'], "Required option '--role <role>' not specified"],
    [['people', 'add', 'acme', 'anna@example.com', '--role', 'owner'], 'Allowed choices are reader, editor.'],
  ])('rejects %j before it calls AWS', async (args, problem) => {
    const error = await problemOf([...args, '--stage', 'prod']);
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toContain(problem);
  });

  test.each([
    [['--help'], /create <name> .*connect <name> <platform> .*people \[command\] /s],
    [['rotate', '--help'], /rotate \[options\] <name>.*--connection <id>.*--drop <age>/s],
    [['people', 'add', '--help'], /people add \[options\] <name> <e-mail>.*--role <role>/s],
  ])('prints help with %j', async (args, help) => {
    const shown = await problemOf(args);
    expect(shown).toBeInstanceOf(HelpText);
    expect(String(shown)).toMatch(help);
  });
});
