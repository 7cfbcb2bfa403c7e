import type { Stage } from '#infra/settings/stages.ts';
import { outputNames } from '#infra/stack/outputs.ts';
import { personTokenMinutes, type Role } from '#shared/contracts/organization/person.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { organizationClients } from '../organization/clients.ts';
import type { Dependencies } from '../organization/scope.ts';
import { findTokenIssuer } from '../organization/token-issuer.ts';
import { stackOutputs } from '../stack-outputs.ts';
import { type PersonInPool, peoplePool } from './pool.ts';

type Clients = Pick<Dependencies, 'cloudFormation' | 'cognito'>;
type OnOrganization = { readonly stage: Stage; readonly name: string };
type OnPerson = OnOrganization & { readonly email: string };
type Place = { readonly organizationId: string; readonly pool: ReturnType<typeof peoplePool> };

/** Finds the organization by its name or id. One whose client is deleted is found by its id, so that its people can be removed. */
async function findPlace(
  { stage, name }: OnOrganization,
  { cloudFormation, cognito }: Clients,
  mustExist = false,
): Promise<Place> {
  const issuer = await findTokenIssuer(cloudFormation, stage);
  const poolId = (await stackOutputs(cloudFormation, stage)).get(outputNames.peoplePoolId);
  if (poolId === undefined)
    throw new UserError(`Stage ${stage} has no console, so it has no people. Deploy it with -c console=true.`);
  const clients = organizationClients(cognito, issuer);
  const organization = mustExist ? await clients.get(name) : await clients.find(name);
  return { organizationId: organization?.id ?? name, pool: peoplePool(cognito, poolId) };
}

/** Invites a person to an organization, or changes their role there. Throws a `UserError` if they are in another organization. */
export async function addPerson(command: OnPerson & { readonly role: Role }, clients: Clients): Promise<string> {
  const { email, role, name, stage } = command;
  const { organizationId, pool } = await findPlace(command, clients, true);
  const known = await pool.find(email);
  if (known) await assertOnlyIn(known, organizationId, stage, pool);
  await pool.createGroup({ organizationId, role }); // before the invitation, so that little is left to do after it
  const person = known ?? (await pool.invite(email, organizationId));
  if (!known) await assertOnlyIn(person, organizationId, stage, pool); // another organization may have invited them meanwhile
  const before = (await pool.membershipsOf(person)).map((membership) => membership.role);
  await pool.join(person, { organizationId, role });
  for (const other of before.filter((each) => each !== role)) await pool.leave(person, { organizationId, role: other });
  const result = `${email} is ${role === 'editor' ? 'an editor' : 'a reader'} in ${name} (person ${person.personId}).`;
  if (!known)
    return `${result}\nCognito mails an invitation, with the address of the console and a password that is valid for seven days.`;
  if (before.includes(role) && before.length === 1) return `${result} Nothing was changed.`;
  return `${result} That takes effect within ${personTokenMinutes} minutes.`;
}

/** A person of two organizations could not log in to either: the token would not say which one is meant. */
async function assertOnlyIn(
  person: PersonInPool,
  organizationId: string,
  stage: string,
  pool: Place['pool'],
): Promise<void> {
  const owner = [...(await pool.organizationsOf(person))].find((each) => each !== organizationId);
  if (owner === undefined) return;
  throw new UserError(
    `${person.email} is in the organization ${owner}, and a person can be in one organization only. Nothing was changed. ` +
      `Use another address, or remove the person there first:\n  npm run organization -- people remove ${owner} ${person.email} --stage ${stage}`,
  );
}

/** Lists the people of an organization. */
export async function listPeople(command: OnOrganization, clients: Clients): Promise<string> {
  const { name, stage } = command;
  const { organizationId, pool } = await findPlace(command, clients);
  const people = await pool.listOf(organizationId);
  if (people.length === 0) return `There are no people of ${name} in ${stage}.`;
  const width = Math.max(...people.map(({ email }) => email.length));
  return people
    .map(({ email, role, personId, hasLoggedIn }) =>
      [email.padEnd(width), role ?? 'none', personId, ...(hasLoggedIn ? [] : ['invited'])].join('  '),
    )
    .join('\n');
}

/** Removes a person from an organization, and signs them out. */
export async function removePerson(command: OnPerson, clients: Clients): Promise<string> {
  const { email, name, stage } = command;
  const { organizationId, pool } = await findPlace(command, clients);
  const person = await pool.find(email);
  if (!person)
    throw new UserError(
      `There is no person ${email} in ${stage}. If an earlier run has removed them, there is nothing left to do.`,
    );
  const organizations = await pool.organizationsOf(person);
  if (!organizations.has(organizationId)) await assertOnlyIn(person, organizationId, stage, pool);
  const isDeleted = await pool.remove(person, organizationId);
  if (!isDeleted)
    return `Removed ${email} from ${name}. They stay in another organization: ${[...organizations].filter((each) => each !== organizationId).join(', ')}.`;
  return `Removed ${email} from ${name} and signed them out. A token that they have is valid for up to ${personTokenMinutes} minutes.`;
}
