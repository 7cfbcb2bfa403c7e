import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminUserGlobalSignOutCommand,
  type AttributeType,
  type CognitoIdentityProviderClient,
  CreateGroupCommand,
  DeleteGroupCommand,
  GroupExistsException,
  paginateAdminListGroupsForUser,
  paginateListUsers,
  paginateListUsersInGroup,
  ResourceNotFoundException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { invitedBy, type Role, roles } from '#shared/contracts/organization/person.ts';
import { groupOf, type Membership, membershipIn } from '#shared/domain/insights/membership.ts';
import { required } from '../organization/clients.ts';

/** A person in the pool. The id is the one in tokens and logs. */
export type PersonInPool = {
  readonly personId: string;
  readonly email: string;
  /** False until the first login, in which the person chooses a password. */
  readonly hasLoggedIn: boolean;
  /** The organization that has invited the person. It counts only if the person has no role in any. */
  readonly invitedBy: string | undefined;
};

/** A person of an organization, with the highest role. One whose invitation was not completed has none. */
export type PersonOf = PersonInPool & { readonly role: Role | undefined };

/** Returns functions that read and change the users and groups of a stage's pool of people. */
export function peoplePool(client: CognitoIdentityProviderClient, UserPoolId: string) {
  const page = { client, pageSize: 60 };

  /** The person with an e-mail address, in any case. */
  async function find(email: string): Promise<PersonInPool | undefined> {
    const found = await client.send(new AdminGetUserCommand({ UserPoolId, Username: email })).catch(missing);
    return found && personIn(found.Username, found.UserAttributes, found.UserStatus);
  }

  /** Creates a person of an organization, to whom Cognito mails the invitation. Returns the existing one if there is one meanwhile. */
  async function invite(email: string, organizationId: string): Promise<PersonInPool> {
    const UserAttributes = [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' }, // otherwise a lost password could not be recovered
      { Name: invitedByAttribute, Value: organizationId }, // in the same call, so that a crash leaves nobody whom no command finds
    ];
    const asked = { UserPoolId, Username: email, UserAttributes, DesiredDeliveryMediums: ['EMAIL' as const] };
    const created = await client.send(new AdminCreateUserCommand(asked)).catch((error) => {
      if (!(error instanceof UsernameExistsException)) throw error;
    });
    if (created?.User) return personIn(created.User.Username, created.User.Attributes, created.User.UserStatus);
    const existing = await find(email);
    if (!existing) throw new Error('Cognito says that the person exists, and finds nobody.');
    return existing;
  }

  /** The roles that a person has, in all organizations. */
  async function membershipsOf({ personId }: PersonInPool): Promise<Membership[]> {
    const found: Membership[] = [];
    for await (const { Groups = [] } of paginateAdminListGroupsForUser(page, { UserPoolId, Username: personId }))
      found.push(...Groups.flatMap(({ GroupName = '' }) => membershipIn(GroupName) ?? []));
    return found;
  }

  /** Where a person has roles. Without any, where they were invited. */
  async function organizationsOf(person: PersonInPool): Promise<ReadonlySet<string>> {
    const joined = await membershipsOf(person);
    if (joined.length > 0) return new Set(joined.map(({ organizationId }) => organizationId));
    return new Set(person.invitedBy === undefined ? [] : [person.invitedBy]);
  }

  /** Creates the group of a role if it is missing. */
  async function createGroup(membership: Membership): Promise<void> {
    const GroupName = groupOf(membership);
    await client.send(new CreateGroupCommand({ UserPoolId, GroupName })).catch((error) => {
      if (!(error instanceof GroupExistsException)) throw error;
    });
  }

  /** Gives a person a role, whose group must exist. */
  async function join({ personId }: PersonInPool, membership: Membership): Promise<void> {
    const GroupName = groupOf(membership);
    await client.send(new AdminAddUserToGroupCommand({ UserPoolId, Username: personId, GroupName }));
  }

  async function leave({ personId }: PersonInPool, membership: Membership): Promise<void> {
    const GroupName = groupOf(membership);
    await client.send(new AdminRemoveUserFromGroupCommand({ UserPoolId, Username: personId, GroupName }));
  }

  /** The people of an organization, by e-mail address. It also looks through all people of the stage, because a search by the attribute does not exist. */
  async function listOf(organizationId: string): Promise<PersonOf[]> {
    const found = new Map<string, PersonOf>();
    for (const role of roles) {
      const users = paginateListUsersInGroup(page, { UserPoolId, GroupName: groupOf({ organizationId, role }) });
      try {
        for await (const { Users = [] } of users)
          for (const { Username, Attributes, UserStatus } of Users) {
            const person = personIn(Username, Attributes, UserStatus);
            found.set(person.personId, { ...person, role }); // `roles` has the higher one last
          }
      } catch (error) {
        if (!(error instanceof ResourceNotFoundException)) throw error; // no person ever had this role
      }
    }
    for await (const { Users = [] } of paginateListUsers(page, { UserPoolId }))
      for (const { Username, Attributes, UserStatus } of Users) {
        const person = personIn(Username, Attributes, UserStatus);
        if (person.invitedBy !== organizationId || found.has(person.personId)) continue;
        const joined = await membershipsOf(person); // they may have joined another organization, or this one in the meantime
        if (joined.every((membership) => membership.organizationId === organizationId))
          found.set(person.personId, { ...person, role: joined[0]?.role });
      }
    return [...found.values()].sort((one, other) => one.email.localeCompare(other.email));
  }

  /**
   * Ends the sessions of a person, and deletes the person. One who also has a role in another organization only loses those in this one.
   * Returns whether the person is deleted.
   */
  async function remove(person: PersonInPool, organizationId: string): Promise<boolean> {
    const { personId: Username } = person;
    const joined = await membershipsOf(person);
    const here = joined.filter((membership) => membership.organizationId === organizationId);
    if (here.length < joined.length) {
      for (const membership of here) await leave(person, membership);
      return false;
    }
    await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username })).catch(missing);
    await client.send(new AdminDeleteUserCommand({ UserPoolId, Username })).catch(missing);
    return true;
  }

  /** Removes the people of an organization, and then its groups. */
  async function removeAllOf(organizationId: string): Promise<void> {
    for (const person of await listOf(organizationId)) await remove(person, organizationId);
    for (const role of roles) {
      const GroupName = groupOf({ organizationId, role });
      await client.send(new DeleteGroupCommand({ UserPoolId, GroupName })).catch((error) => {
        if (!(error instanceof ResourceNotFoundException)) throw error;
      });
    }
  }

  return { find, invite, membershipsOf, organizationsOf, createGroup, join, leave, listOf, remove, removeAllOf };
}

const invitedByAttribute = `custom:${invitedBy}`;

/** Another operator removed the person first, or nobody ever added them. */
function missing(error: unknown): undefined {
  if (!(error instanceof UserNotFoundException)) throw error;
}

function personIn(
  username: string | undefined,
  attributes: readonly AttributeType[] = [],
  status?: string,
): PersonInPool {
  return {
    personId: required(username),
    email: attributes.find(({ Name }) => Name === 'email')?.Value ?? '',
    invitedBy: attributes.find(({ Name }) => Name === invitedByAttribute)?.Value,
    hasLoggedIn: status !== 'FORCE_CHANGE_PASSWORD',
  };
}
