import { randomUUID } from 'node:crypto';
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

const livekit = (...more: readonly string[]) => ['connect', 'acme', 'livekit', '--key-id', 'K', ...more];

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
    [['rotate', 'acme', '--yes', '--stage', 'prod'], 'Use --yes only with delete, erase, disconnect and'],
    [['erase', '--stage', 'prod'], 'No organization given.'],
    [['erase', 'acme', '--yes', '--check', '--stage', 'prod'], 'Use either --yes or --check, not both.'],
    [['delete', 'acme', '--check', '--stage', 'prod'], 'Use --check only with erase.'],
    [['erase', 'acme'], 'No stage given.'],
    [['erase', 'acme', '--stage', 'prod', '--data-dir', '.local'], 'Use either --stage or --data-dir, not both.'],
    [
      ['delete', 'acme', '--data-dir', '.local', '--yes'],
      'Use --data-dir only with erase, defaults and the commands on connections and webhooks.',
    ],
    [['defaults', '--stage', 'prod'], 'No organization given.'],
    [['create', 'acme', '--clear', '--stage', 'prod'], 'Use --clear only with defaults.'],
    [['create', 'acme', '--set', 'language=auto', '--stage', 'prod'], 'Use --set only with connect and defaults.'],
    [
      ['defaults', 'acme', '--clear', '--set', 'language=auto', '--stage', 'prod'],
      'Use either --set or --clear, not both.',
    ],
    [
      ['defaults', 'acme', '--set', 'channels=a,b', '--stage', 'prod'],
      'There is no default "channels=a,b". The defaults are',
    ],
    [['defaults', 'acme', '--set', 'language', '--stage', 'prod'], '--set language needs a value, as in'],
    [['defaults', 'acme', '--set', 'language=en', '--stage', 'prod'], 'language must be "auto", a code, or a list'],
    [['defaults', 'acme', '--set', 'maxSpeakers=many', '--stage', 'prod'], 'maxSpeakers must be a'],
    [['defaults', 'acme', '--set', 'multiLanguage=yes', '--stage', 'prod'], 'multiLanguage must be a boolean'],
    [
      ['defaults', 'acme', '--set', 'vocabularyFilter=rude', '--stage', 'prod'],
      'vocabularyFilter.method must be one of mask, remove, tag',
    ],
    [
      ['defaults', 'acme', '--set', 'vocabularyFilter=rude:mask:tag', '--stage', 'prod'],
      'vocabularyFilter.method must be one of mask, remove, tag',
    ],
    [['webhooks', '--stage', 'prod'], 'No organization given.'],
    [['webhooks', 'acme', 'more', '--stage', 'prod'], 'Too many arguments: "more".'],
    [['webhooks', 'acme', '--yes', '--stage', 'prod'], 'Use --yes only with delete, erase, disconnect and'],
    [['remove-webhook', 'acme', '--stage', 'prod'], 'No webhook given. The command webhooks lists the ids.'],
    [['remove-webhook', 'acme', 'hook', '--yes', '--stage', 'prod'], '"hook" is not the id of a webhook.'],
    [
      ['remove-webhook', 'acme', randomUUID(), '--stage', 'prod'],
      'also those that wait. Its secret is never used again.',
    ],
    [['create', 'acme', '--force', '--stage', 'prod'], "Unknown option '--force'"],
  ])('rejects %j before it calls AWS', async (args, problem) => {
    const error: unknown = await runOrganization(args, dependencies).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toContain(problem);
  });

  const id = 'c'.repeat(43);
  test.each([
    [['connect', 'acme'], 'No platform given. The platforms are livekit, daily, whereby, jaas, jitsi, bigbluebutton.'],
    [['connect', 'acme', 'zoom'], 'There is no platform "zoom". The platforms are livekit, '],
    [['connect', 'acme', 'toString'], 'There is no platform "toString".'],
    [['connect', 'acme', 'daily', 'x'], 'Too many arguments: "x".'],
    [['connect'], 'No organization given.'],
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
    [
      ['rotate', 'acme', '--connection', 'short'],
      '"short" is not the id of a connection. The command connections lists',
    ],
    [['rotate', 'acme', '--connection', id, '--drop', 'all'], '--drop must be old or new, not "all".'],
    [
      ['rotate', 'acme', '--connection', id, '--drop', 'old', '--secret-stdin'],
      'without --drop: it takes no new secret.',
    ],
    [['rotate', 'acme', '--connection', id, '--set', 'a=1'], 'Use --set only with connect and defaults.'],
    [['rotate', 'acme', '--key-id', 'K'], 'only with connect and rotate --connection.'],
    [['disconnect', 'acme'], 'No connection given. The command connections lists the ids.'],
    [['disconnect', 'acme', id], 'A new connection has another address. To confirm, add --yes.'],
    [['disconnect', 'acme', `${id}x`, '--yes'], 'is not the id of a connection.'],
    [['disconnect', 'acme', '--connection', id, '--yes'], 'Use --connection only with rotate.'],
    [['connections', 'acme', 'daily'], 'Too many arguments: "daily".'],
    [['connections', 'acme', '--yes'], 'Use --yes only with delete, erase, disconnect and'],
    [['replay', 'acme'], 'No connection given.'],
    [['connect', 'acme', 'daily', '--from', '2026-11-23'], 'Use --from only with replay.'],
    [['close-session', 'acme'], 'No session given.'],
  ])('rejects %j on connections, and says what to do, before it calls AWS', async (args, problem) => {
    const error: unknown = await runOrganization([...args, '--stage', 'prod'], dependencies).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toContain(problem);
  });

  test('prints its usage with --help', async () => {
    const usage = await runOrganization(['--help'], dependencies);
    expect(usage).toContain('npm run organization -- <command> --stage <dev|prod>');
  });
});
