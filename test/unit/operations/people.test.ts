import { AdminCreateUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, test } from 'vitest';
import { runOrganization } from '#operations/organization/run.ts';
import { membershipOf } from '#shared/domain/insights/membership.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { fakeCloudFormation, fakeCognito, fakePeoplePoolId } from '../../support/operations/fake-cognito.ts';
import { emptyStores, peopleOutputs, poolOutputs, stageOutputs } from '../../support/operations/stage-outputs.ts';

const outputs = { ...stageOutputs, ...poolOutputs, ...peopleOutputs };
const anna = 'anna@example.com';
let fake: ReturnType<typeof fakeCognito>;
let acme: string;
let other: string;
let stack: Readonly<Record<string, string>>;
let printed: string[];

const run = (...args: string[]) =>
  runOrganization([...args, '--stage', 'prod'], {
    cloudFormation: fakeCloudFormation('Roomscribe-prod', stack),
    cognito: fake.cognito,
    openStores: emptyStores,
    terminal: { show: () => {}, end: () => {}, print: (line) => printed.push(line) },
    askSecret: async () => undefined,
  });
const people = (...args: string[]) => run('people', ...args);
const namesOfCalls = () => fake.calls.map(({ name }) => name);

/** Returns the message of the `UserError` that the work throws. Any other outcome fails the test. */
async function userErrorOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('The command succeeded.'),
    (thrown) => thrown,
  );
  if (!(error instanceof UserError)) throw error;
  return error.message;
}

/** Lets something happen right before the first invitation reaches Cognito. `send` sends it once more. */
function beforeInvitation(meanwhile: (send: () => Promise<unknown>) => Promise<unknown>): void {
  const send = fake.cognito.send.bind(fake.cognito) as (command: unknown) => Promise<unknown>;
  let isFirst = true;
  Object.assign(fake.cognito, {
    async send(command: unknown) {
      if (command instanceof AdminCreateUserCommand && isFirst) {
        isFirst = false;
        await meanwhile(() => send(command));
      }
      return send(command);
    },
  });
}

/** Runs `people add` up to the invitation. The person then has no group. */
async function inviteHalf(organization: string, email: string): Promise<void> {
  fake.fault.next = { name: 'AdminAddUserToGroupCommand', error: new Error('socket hang up'), isDone: false };
  await userErrorOf(people('add', organization, email, '--role', 'reader'));
  expect(fake.people.groupsOf(email)).toEqual([]);
}

beforeEach(async () => {
  fake = fakeCognito();
  stack = outputs;
  printed = [];
  await run('create', 'acme');
  await run('create', 'other');
  [acme, other] = fake.clients.map(({ id }) => id) as [string, string];
});

describe('people add', () => {
  test('invites a person by e-mail and gives the role, by a group that names organization and role', async () => {
    const text = await people('add', 'acme', anna, '--role', 'reader');
    expect(text).toContain(`${anna} is a reader in acme`);
    expect(text).toContain('mails an invitation');
    expect(fake.people.mails).toEqual([anna]);
    expect(fake.people.groupsOf(anna)).toEqual([`${acme}:reader`]);
    expect(membershipOf(fake.people.groupsOf(anna))).toEqual({ organizationId: acme, role: 'reader' });
    const created = fake.calls.find(({ name }) => name === 'AdminCreateUserCommand');
    expect(created?.input).toEqual({
      UserPoolId: fakePeoplePoolId,
      Username: anna,
      UserAttributes: [
        { Name: 'email', Value: anna },
        { Name: 'email_verified', Value: 'true' },
        { Name: 'custom:organization', Value: acme },
      ],
      DesiredDeliveryMediums: ['EMAIL'],
    });
  });

  test('finds the organization by its id, too', async () => {
    await people('add', acme, anna, '--role', 'editor');
    expect(fake.people.groupsOf(anna)).toEqual([`${acme}:editor`]);
  });

  test.each([
    ['reader', 'editor', 'an editor'],
    ['editor', 'reader', 'a reader'],
  ])('changes the role from %s to %s, without another invitation', async (before, after, named) => {
    await people('add', 'acme', anna, '--role', before);
    const text = await people('add', 'acme', 'Anna@Example.com', '--role', after);
    expect(text).toMatch(new RegExp(`is ${named} in acme .*takes effect within 15 minutes`));
    expect(fake.people.groupsOf(anna)).toEqual([`${acme}:${after}`]);
    expect(fake.people.mails).toEqual([anna]);
  });

  test('changes nothing if it is repeated', async () => {
    await people('add', 'acme', anna, '--role', 'reader');
    expect(await people('add', 'acme', anna, '--role', 'reader')).toContain('Nothing was changed.');
    expect([fake.people.groupsOf(anna), fake.people.mails]).toEqual([[`${acme}:reader`], [anna]]);
  });

  test.each(['AdminCreateUserCommand', 'CreateGroupCommand', 'AdminAddUserToGroupCommand'])(
    'completes an earlier run that lost the answer of %s',
    async (name) => {
      for (const isDone of [false, true]) {
        const [address, role] = isDone
          ? (['done@example.com', 'editor'] as const)
          : (['lost@example.com', 'reader'] as const);
        fake.fault.next = { name, error: new Error('socket hang up'), isDone };
        await userErrorOf(people('add', 'acme', address, '--role', role));
        await people('add', 'acme', address, '--role', role);
        expect(fake.people.groupsOf(address)).toEqual([`${acme}:${role}`]);
      }
      expect(fake.people.mails).toHaveLength(2);
    },
  );

  test('completes a change of role that died between the two groups', async () => {
    await people('add', 'acme', anna, '--role', 'editor');
    const error = new Error('socket hang up');
    fake.fault.next = { name: 'AdminRemoveUserFromGroupCommand', error, isDone: false };
    await userErrorOf(people('add', 'acme', anna, '--role', 'reader'));
    expect(membershipOf(fake.people.groupsOf(anna))).toMatchObject({ role: 'editor' });
    await people('add', 'acme', anna, '--role', 'reader');
    expect(fake.people.groupsOf(anna)).toEqual([`${acme}:reader`]);
  });

  test('takes a person whom another operator invited in the same second', async () => {
    beforeInvitation((send) => send());
    await people('add', 'acme', anna, '--role', 'reader');
    expect([fake.people.groupsOf(anna), fake.people.mails]).toEqual([[`${acme}:reader`], [anna]]);
  });

  test('refuses a person whom another organization invited in the same second', async () => {
    beforeInvitation(() => people('add', 'other', anna, '--role', 'reader'));
    const problem = await userErrorOf(people('add', 'acme', anna, '--role', 'reader'));
    expect(problem).toContain(`is in the organization ${other}`);
    expect(fake.people.groupsOf(anna)).toEqual([`${other}:reader`]);
  });

  test('refuses a person of another organization, says which, and changes nothing', async () => {
    await people('add', 'other', anna, '--role', 'reader');
    const before = fake.people.groupsOf(anna);
    const problem = await userErrorOf(people('add', 'acme', anna, '--role', 'editor'));
    expect(problem).toMatch(new RegExp(`${anna} is in the organization ${other}.*Nothing was changed`));
    expect(problem).toContain(`npm run organization -- people remove ${other} ${anna} --stage prod`);
    expect(fake.people.groupsOf(anna)).toEqual(before);
    await people('remove', other, anna);
    await people('add', 'acme', anna, '--role', 'editor');
    expect(fake.people.groupsOf(anna)).toEqual([`${acme}:editor`]);
  });

  test('creates the group before it invites', async () => {
    await people('add', 'acme', anna, '--role', 'reader');
    const names = namesOfCalls();
    expect(names.lastIndexOf('CreateGroupCommand')).toBeLessThan(names.indexOf('AdminCreateUserCommand'));
  });

  test('refuses a person whose invitation by another organization was not completed', async () => {
    await inviteHalf('other', anna);
    const problem = await userErrorOf(people('add', 'acme', anna, '--role', 'reader'));
    expect(problem).toContain(`is in the organization ${other}`);
    await people('remove', other, anna);
    await people('add', 'acme', anna, '--role', 'reader');
    expect(fake.people.groupsOf(anna)).toEqual([`${acme}:reader`]);
  });

  test('refuses an unknown organization', async () => {
    expect(await userErrorOf(people('add', 'nobody', anna, '--role', 'reader'))).toContain(
      'There is no organization nobody in prod',
    );
    expect(fake.people.users.size).toBe(0);
  });
});

describe('people list', () => {
  test('shows all pages of people by address, with the higher role, the id and who was only invited', async () => {
    for (let index = 100; index < 230; index += 1)
      await people('add', 'acme', `p${index}@example.com`, '--role', index % 2 === 0 ? 'editor' : 'reader');
    fake.people.logIn('p100@example.com');
    await people('add', 'other', 'stranger@example.com', '--role', 'reader');
    const lines = (await people('list', 'acme')).split('\n').map((line) => line.split(/ +/));
    expect(lines).toHaveLength(130);
    expect(lines[0]).toEqual(['p100@example.com', 'editor', expect.stringMatching(/^[\w-]{36}$/)]);
    expect(lines[1]).toEqual(['p101@example.com', 'reader', expect.anything(), 'invited']);
    expect(lines.map(([email]) => email)).toEqual(lines.map(([email]) => email).toSorted());
  });

  test('shows a person once who has both roles', async () => {
    await people('add', 'acme', anna, '--role', 'reader');
    fake.people.addGroup(`${acme}:editor`, anna);
    expect(await people('list', 'acme')).toMatch(new RegExp(`^${anna} {2}editor {2}\\S+ {2}invited$`));
  });

  test('shows whose invitation was not completed, among many others', async () => {
    for (let index = 100; index < 170; index += 1)
      await people('add', 'other', `p${index}@example.com`, '--role', 'reader');
    await inviteHalf('acme', anna);
    expect(await people('list', 'acme')).toMatch(new RegExp(`^${anna} {2}none {2}\\S+ {2}invited$`));
    expect(await people('list', 'other')).not.toContain(anna);
    await people('add', 'acme', anna, '--role', 'editor');
    expect(await people('list', 'acme')).toContain(`${anna}  editor`);
  });

  test('says that there are none', async () => {
    expect(await people('list', 'acme')).toBe('There are no people of acme in prod.');
  });
});

describe('people remove', () => {
  test('signs the person out before it deletes them, and says how long a token is valid', async () => {
    await people('add', 'acme', anna, '--role', 'reader');
    const before = fake.calls.length;
    const text = await people('remove', 'acme', 'ANNA@example.com');
    expect(text).toBe(
      `Removed ${anna} from acme and signed them out. A token that they have is valid for up to 15 minutes.`,
    );
    const changes = namesOfCalls()
      .slice(before)
      .filter((name) => /^Admin(?!Get|List)/.test(name));
    expect(changes).toEqual(['AdminUserGlobalSignOutCommand', 'AdminDeleteUserCommand']);
    expect(fake.people.users.size).toBe(0);
    expect(await userErrorOf(people('remove', 'acme', anna))).toMatch(/no person .* nothing left to do/);
  });

  test.each(['AdminUserGlobalSignOutCommand', 'AdminDeleteUserCommand'])(
    'can run again after a crash in %s',
    async (name) => {
      await people('add', 'acme', anna, '--role', 'reader');
      fake.fault.next = { name, error: new Error('socket hang up'), isDone: false };
      await userErrorOf(people('remove', 'acme', anna));
      expect(await people('remove', 'acme', anna)).toContain('Removed');
      expect(fake.people.users.size).toBe(0);
    },
  );

  test('succeeds if another operator removes the person meanwhile', async () => {
    const { UserNotFoundException } = await import('@aws-sdk/client-cognito-identity-provider');
    await people('add', 'acme', anna, '--role', 'reader');
    const error = new UserNotFoundException({ message: 'gone', $metadata: {} });
    fake.fault.next = { name: 'AdminUserGlobalSignOutCommand', error, isDone: false };
    expect(await people('remove', 'acme', anna)).toContain('Removed');
  });

  test('removes a person whose invitation was not completed', async () => {
    await inviteHalf('acme', anna);
    expect(await people('remove', 'acme', anna)).toContain('Removed');
    expect(fake.people.users.size).toBe(0);
  });

  test('leaves a person who is also in another organization, and takes the roles in this one', async () => {
    await people('add', 'acme', anna, '--role', 'reader');
    fake.people.addGroup(`${other}:editor`, anna);
    expect(await people('remove', 'acme', anna)).toContain(`They stay in another organization: ${other}.`);
    expect(fake.people.groupsOf(anna)).toEqual([`${other}:editor`]);
    expect(await people('list', 'acme')).toContain('There are no people');
    expect(await people('remove', 'other', anna)).toContain('signed them out');
    expect(fake.people.users.size).toBe(0);
  });

  test('does not remove a person of another organization', async () => {
    await people('add', 'other', anna, '--role', 'reader');
    expect(await userErrorOf(people('remove', 'acme', anna))).toContain(`is in the organization ${other}`);
    expect(fake.people.users.size).toBe(1);
  });
});

describe('the people of an organization', () => {
  beforeEach(async () => {
    await people('add', 'acme', anna, '--role', 'reader');
    await people('add', 'acme', 'ben@example.com', '--role', 'editor');
    await people('add', 'other', 'stranger@example.com', '--role', 'editor');
  });

  test('go with its access, after a warning', async () => {
    expect(await userErrorOf(run('delete', 'acme'))).toMatch(/in the console:\n {2}anna@example.com\n {2}ben@/);
    expect(fake.people.users.size).toBe(3);
    expect(await run('delete', 'acme', '--yes')).toMatch(
      /Ended the access of these people in the console\..* 15 minutes\.\n {2}anna@/,
    );
    expect([...fake.people.users.values()].map(({ email }) => email)).toEqual(['stranger@example.com']);
    expect(fake.people.groups()).toEqual([`${other}:editor`]);
  });

  test('are removed by its id, if its client was deleted elsewhere', async () => {
    fake.clients.splice(0, 1);
    expect(await people('list', acme)).toContain(anna);
    expect(await people('remove', acme, anna)).toContain('Removed');
  });

  test('are counted, erased with their groups and looked for by an erasure', async () => {
    expect(await run('erase', 'acme')).toMatch(/people of the console +2\n/);
    expect(fake.people.users.size).toBe(3);
    expect(await run('erase', 'acme', '--yes')).toMatch(/people of the console +2\n/);
    expect(fake.people.groups()).toEqual([`${other}:editor`]);
    expect(await run('erase', 'acme', '--check')).toContain('There is no data');
    expect(await userErrorOf(run('erase', 'other', '--check'))).toMatch(/people of the console +1\n/);
  });

  test.each(['delete', 'erase'])('go with %s if their invitation was not completed', async (command) => {
    await inviteHalf('acme', 'carl@example.com');
    expect(await run('erase', 'acme')).toMatch(/people of the console +3\n/);
    await run(command, 'acme', '--yes');
    expect([...fake.people.users.values()].map(({ email }) => email)).toEqual(['stranger@example.com']);
  });

  test.each(['delete', 'erase'])('stay after %s if they are also in another organization', async (command) => {
    fake.people.addGroup(`${other}:reader`, anna);
    await run(command, 'acme', '--yes');
    expect(fake.people.groupsOf(anna)).toEqual([`${other}:reader`]);
    expect(await run('erase', acme, '--check')).toContain('There is no data');
  });

  test('stay when one participant of a session is erased', async () => {
    await run('erase', 'acme', '--participant-id', 'p-1', '--yes').catch(() => {});
    expect(fake.people.users.size).toBe(3);
  });
});

describe('a stage without people', () => {
  test('says how to get them, if it has no console', async () => {
    stack = { ...stageOutputs, ...poolOutputs };
    for (const args of [
      ['add', 'acme', anna, '--role', 'reader'],
      ['list', 'acme'],
      ['remove', 'acme', anna],
    ])
      expect(await userErrorOf(people(...args))).toContain('Stage prod has no console, so it has no people.');
    expect(await run('erase', 'acme')).not.toContain('people');
    await run('delete', 'acme', '--yes');
  });

  test('says where they are, if it has its own issuer', async () => {
    stack = stageOutputs;
    expect(await userErrorOf(people('list', 'acme'))).toContain('its own token issuer');
  });
});
