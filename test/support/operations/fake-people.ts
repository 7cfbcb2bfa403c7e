import {
  GroupExistsException,
  ResourceNotFoundException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Call } from '../client/fake-client.ts';

type User = {
  readonly id: string;
  email: string;
  readonly attributes: readonly { readonly Name: string; readonly Value: string }[];
  status: 'FORCE_CHANGE_PASSWORD' | 'CONFIRMED';
  isSignedIn: boolean;
};
type Input = Call['input'] & {
  readonly Username?: string;
  readonly GroupName?: string;
  readonly NextToken?: string | undefined;
  readonly PaginationToken?: string;
  readonly UserAttributes?: readonly { readonly Name: string; readonly Value: string }[];
};

const $metadata = {};

/**
 * Imitates a user pool in which people sign in by e-mail address, as the API reference of Cognito describes it: a user is found by id or
 * address in any case, the id is made by Cognito, a page has at most 60 elements, a group must exist before it gets members, and a
 * deleted user or group leaves no membership behind.
 */
export function fakePeople() {
  const users = new Map<string, User>();
  const groups = new Map<string, Set<string>>();
  const mails: string[] = [];
  const created = { count: 0 };
  const userOf = ({ Username = '' }: Input): User => {
    const found = users.get(Username) ?? [...users.values()].find(({ email }) => email === Username.toLowerCase());
    if (!found) throw new UserNotFoundException({ message: 'User does not exist.', $metadata });
    return found;
  };
  const groupOf = ({ GroupName = '' }: Input): Set<string> => {
    const found = groups.get(GroupName);
    if (!found) throw new ResourceNotFoundException({ message: 'Group not found.', $metadata });
    return found;
  };
  const shown = ({ id, email, status, attributes: given }: User, attributes: string) => ({
    Username: id,
    [attributes]: [
      { Name: 'email', Value: email },
      { Name: 'sub', Value: id },
      ...given.filter(({ Name }) => Name.startsWith('custom:')),
    ],
    UserStatus: status,
  });
  const paged = <Item>(all: readonly Item[], { NextToken }: Input, name: string) => {
    const start = Number(NextToken ?? 0);
    const end = start + 60;
    return { [name]: all.slice(start, end), ...(end < all.length && { NextToken: String(end) }) };
  };
  const operations: Readonly<Record<string, (input: Input) => unknown>> = {
    AdminGetUserCommand: (input) => shown(userOf(input), 'UserAttributes'),
    AdminCreateUserCommand({ Username = '', UserAttributes = [] }) {
      const email = Username.toLowerCase();
      if ([...users.values()].some((user) => user.email === email))
        throw new UsernameExistsException({ message: 'User account already exists', $metadata });
      created.count += 1;
      const id = `00000000-0000-4000-8000-${String(created.count).padStart(12, '0')}`;
      const user: User = { id, email, attributes: UserAttributes, status: 'FORCE_CHANGE_PASSWORD', isSignedIn: false };
      users.set(id, user);
      mails.push(email);
      return { User: shown(user, 'Attributes') };
    },
    AdminDeleteUserCommand(input) {
      const { id } = userOf(input);
      users.delete(id);
      for (const members of groups.values()) members.delete(id);
      return {};
    },
    AdminUserGlobalSignOutCommand(input) {
      userOf(input).isSignedIn = false;
      return {};
    },
    AdminListGroupsForUserCommand(input) {
      const { id } = userOf(input);
      const names = [...groups].filter(([, members]) => members.has(id)).map(([GroupName]) => ({ GroupName }));
      return paged(names, input, 'Groups');
    },
    CreateGroupCommand({ GroupName = '' }) {
      if (groups.has(GroupName))
        throw new GroupExistsException({ message: 'A group with the name already exists.', $metadata });
      groups.set(GroupName, new Set());
      return {};
    },
    DeleteGroupCommand(input) {
      groupOf(input);
      groups.delete(String(input.GroupName));
      return {};
    },
    AdminAddUserToGroupCommand(input) {
      groupOf(input).add(userOf(input).id);
      return {};
    },
    AdminRemoveUserFromGroupCommand(input) {
      groupOf(input).delete(userOf(input).id);
      return {};
    },
    ListUsersCommand(input) {
      const all = [...users.values()].map((user) => shown(user, 'Attributes'));
      const { NextToken, ...page } = paged(all, { ...input, NextToken: input.PaginationToken }, 'Users');
      return { ...page, ...(NextToken !== undefined && { PaginationToken: NextToken }) };
    },
    ListUsersInGroupCommand(input) {
      const members = [...groupOf(input)].flatMap((id) => users.get(id) ?? []);
      return paged(
        members.map((user) => shown(user, 'Attributes')),
        input,
        'Users',
      );
    },
  };
  return {
    operations,
    users,
    mails,
    /** The names of the groups, and of those that a person with an e-mail address is in. */
    groups: () => [...groups.keys()].sort(),
    groupsOf: (email: string) => {
      const { id } = userOf({ Username: email });
      return [...groups].filter(([, members]) => members.has(id)).map(([name]) => name);
    },
    /** Adds a group that no command made, with a member. */
    addGroup: (name: string, email: string) => groups.set(name, new Set([userOf({ Username: email }).id])),
    /** The person logs in for the first time, and chooses a password. */
    logIn: (email: string) => Object.assign(userOf({ Username: email }), { status: 'CONFIRMED', isSignedIn: true }),
  };
}
