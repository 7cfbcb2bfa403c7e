import { Option } from 'commander';
import { Identifier } from '#shared/contracts/common/fields.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { eraseOrganization } from '../erasure/erase-organization.ts';
import { erasePerson } from '../erasure/erase-person.ts';
import {
  findParticipations,
  type Person,
  type TranscriptionOfSession,
  transcriptionsOf,
} from '../erasure/find-person.ts';
import { findTracks, worksWith } from '../erasure/person-tracks.ts';
import { counting, removing } from '../erasure/removal.ts';
import { describeRemaining, removedTable } from '../erasure/report.ts';
import { peoplePool } from '../people/pool.ts';
import { readTarget, type Target, type TargetOptions } from '../target.ts';
import type { Organization } from './clients.ts';
import { type Commands, onDeployment } from './command.ts';
import { type Dependencies, findScope, type Scope, type Subject, shellQuote } from './scope.ts';

/** Erases an organization, or one person of it. */
type EraseCommand = Subject & {
  readonly person: Person | undefined;
  /** Whether it only counts the data, removes them (`--yes`), or fails if there are any (`--check`). */
  readonly mode: 'count' | 'remove' | 'check';
};

/** Adds the command that erases an organization or one person of it. */
export function addErase({ program, dependencies, printing }: Commands): void {
  type Options = TargetOptions & Person & { yes?: true; check?: true };
  onDeployment(program, 'erase', "Counts what erasing an organization's data would remove, or removes it.")
    .option('--yes', 'remove the data permanently; you can run it again after a crash')
    .addOption(new Option('--check', 'after an erasure: fail if there is any data').conflicts('yes'))
    .option('--participant-id <id>', 'erase only the person who had this id in sessions', personIdOf)
    .option(
      '--external-id <id>',
      'erase only the person who had this external id; with both options, everyone who had either id. ' +
        'Transcripts of their sessions lose what they are known to have said, and are listed',
      personIdOf,
    )
    .action(
      printing((name: string, { yes, check, participantId, externalId, ...options }: Options) => {
        const person =
          participantId === undefined && externalId === undefined ? undefined : { participantId, externalId };
        const mode = yes ? 'remove' : check ? 'check' : 'count';
        return erase({ name, target: readTarget(options), person, mode }, dependencies);
      }),
    );
}

function personIdOf(id: string): string {
  const { success, data, error } = Identifier.safeParse(id);
  if (success) return data;
  throw new UserError(`The id of a person ${error.issues[0]?.message}.`);
}

/**
 * Erases an organization, or one person of it, or counts what this would remove. Returns a report. Throws a `UserError` if it
 * finds nothing of an organization or person that nobody knows, or if something remains.
 */
async function erase(command: EraseCommand, dependencies: Dependencies): Promise<string> {
  const scope = await findScope(command, dependencies);
  dependencies.terminal.print(scope.note);
  const { person } = command;
  return person ? eraseOnePerson(command, person, scope, dependencies) : eraseAll(command, scope, dependencies);
}

async function eraseAll(command: EraseCommand, scope: Scope, dependencies: Dependencies): Promise<string> {
  const { terminal } = dependencies;
  const { organizationId, deployment, client } = scope;
  if (client && command.mode !== 'check') terminal.print(accessWarning(client, command.target));
  const removal = command.mode === 'remove' ? removing(deployment) : counting(deployment);
  const people = await erasePeople(command, scope, dependencies); // before the data, which they could read until then
  const erasure = await eraseOrganization(deployment, organizationId, removal, terminal);
  if (people !== undefined) erasure.removed.set('people of the console', people);
  const remaining = describeRemaining(erasure, commandLine(command, scope, '--yes'));
  if (remaining !== undefined) throw new UserError(`${describeCounts(command, scope, erasure.removed)}\n${remaining}`);
  return conclude(command, scope, erasure.removed);
}

/** Removes or counts the people who may see the organization's data. Undefined if the stage has no people. */
async function erasePeople(
  { mode }: EraseCommand,
  { organizationId, peoplePoolId }: Scope,
  { cognito }: Dependencies,
): Promise<number | undefined> {
  if (peoplePoolId === undefined) return undefined;
  const pool = peoplePool(cognito, peoplePoolId);
  const people = await pool.listOf(organizationId);
  if (mode === 'remove') await pool.removeAllOf(organizationId);
  return people.length;
}

/** Lists the person's transcriptions before it removes anything, because afterwards no data leads to them. */
async function eraseOnePerson(command: EraseCommand, person: Person, scope: Scope, { terminal }: Dependencies) {
  const { organizationId, deployment } = scope;
  const participations = await findParticipations(deployment, organizationId, person, terminal);
  const tracks = await findTracks(deployment, organizationId, person, participations);
  const sessions = new Set([...participations, ...tracks].flatMap(({ session }) => session ?? []));
  terminal.print(`Sessions of ${organizationId} in which the person participated: ${sessions.size}`);
  const transcriptions = await transcriptionsOf(deployment, sessions);
  if (transcriptions.length > 0) terminal.print(transcriptCommands(transcriptions, deployment.apiUrl));
  const participantIds = new Set([...participations, ...tracks].map(({ participantId }) => participantId));
  const works = await worksWith(deployment, organizationId, participantIds.add(person.participantId ?? ''));
  const beingMade = transcriptions
    .filter(({ isBeingMade }) => isBeingMade)
    .map(({ transcriptionId }) => transcriptionId);
  const unfinished = [
    ...(works.length > 0 ? [unfinishedWorks(works)] : []),
    ...(beingMade.length > 0 ? [transcriptsBeingMade(beingMade)] : []),
  ].join('\n');
  if (unfinished && command.mode !== 'count') throw new UserError(unfinished);
  if (unfinished) terminal.print(unfinished);
  const removal = command.mode === 'remove' ? removing(deployment) : counting(deployment);
  const traces = { person, participations, tracks, transcriptions };
  return conclude(command, scope, await erasePerson(deployment, organizationId, traces, removal, terminal));
}

/** Their files and rows are those of running transcriptions, so the erasure waits until they are gone. */
function unfinishedWorks(ids: readonly string[]): string {
  return (
    'Audio of the person is being transcribed, or was, until a transcription was deleted. Nothing is removed before the work ends. ' +
    `Delete the transcriptions above, and run the command again in a few hours. Ids of the works: ${ids.join(', ')}`
  );
}

/** A transcript that ends later can name the person by what was read before the erasure, so the erasure waits until it has ended. */
function transcriptsBeingMade(ids: readonly string[]): string {
  return (
    'Transcripts of sessions of the person are being made, and can name the person when they are done. Nothing is removed before that. ' +
    `Run the command again when they are ready, or delete them first. Ids of the transcriptions: ${ids.join(', ')}`
  );
}

/** Returns the report of a complete run, or throws a `UserError` if the counts are not what the operator expects. */
function conclude(command: EraseCommand, scope: Scope, counts: ReadonlyMap<string, number>): string {
  const isEmpty = [...counts.values()].every((count) => count === 0);
  const report = describeCounts(command, scope, counts);
  if (command.mode === 'check') {
    if (isEmpty)
      return `${absence(command, scope)} This is also true of an id that never existed: compare it with the erasure's report.`;
    throw new UserError(`${report}\nTo remove it, run:\n  ${commandLine(command, scope, '--yes')}`);
  }
  if (isEmpty) return reportNothing(command, scope);
  if (command.mode === 'remove')
    return `${report}\nTo check later that no event has restored data, run:\n  ${commandLine(command, scope, '--check')}`;
  const consequence = command.person ? 'Totals do not change. ' : '';
  return `${report}\n${consequence}To remove this permanently, run:\n  ${commandLine(command, scope, '--yes')}`;
}

function describeCounts(command: EraseCommand, scope: Scope, counts: ReadonlyMap<string, number>): string {
  const heading = { count: 'This would remove the data of', remove: 'Removed the data of', check: 'There is data of' };
  return `${heading[command.mode]} ${subjectOf(command, scope)}:\n${removedTable(counts)}`;
}

/** An organization without data is an error, unless it is a client of the user pool. So is a person without data. */
function reportNothing(command: EraseCommand, scope: Scope): string {
  if (scope.client && !command.person) return absence(command, scope);
  const hint = command.person
    ? 'Is the id of the person right, and is it the right organization?'
    : 'Is the id right? An organization whose client is deleted is found by its id only, not by its name.';
  throw new UserError(
    `${absence(command, scope)} ${hint}\nIf an earlier run has already removed the data, the erasure is complete. To confirm it, run:\n` +
      `  ${commandLine(command, scope, '--check')}`,
  );
}

function absence(command: EraseCommand, scope: Scope): string {
  const place = 'dataDir' in command.target ? command.target.dataDir : command.target.stage;
  return `There is no data of ${subjectOf(command, scope)} in ${place}.`;
}

function subjectOf({ person }: EraseCommand, { organizationId }: Scope): string {
  if (!person) return `organization ${organizationId}`;
  const ids = [
    ...(person.participantId === undefined ? [] : [`participant id ${person.participantId}`]),
    ...(person.externalId === undefined ? [] : [`external id ${person.externalId}`]),
  ];
  return `the person with ${ids.join(' or ')} in organization ${organizationId}`;
}

/** Says how to keep new data out. Only for a whole organization: one person's erasure must never end an organization's access. */
function accessWarning({ id, name }: Organization, target: Target): string {
  const stage = 'stage' in target ? ` --stage ${target.stage}` : '';
  return (
    `${name} still gets tokens. To prevent new data, first end its access, and wait an hour:\n` +
    `  npm run organization -- delete ${id}${stage} --yes`
  );
}

/** Returns the command line that repeats an erasure in another mode. */
function commandLine({ target, person }: EraseCommand, { organizationId }: Scope, mode: '--yes' | '--check'): string {
  const flags = {
    '--participant-id=': person?.participantId,
    '--external-id=': person?.externalId, // as it can start with --
    ...('dataDir' in target ? { '--data-dir ': target.dataDir } : { '--stage ': target.stage }),
  };
  const given = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : `${flag}${shellQuote(value)}`,
  );
  return `npm run organization -- erase ${organizationId} ${given.join(' ')} ${mode}`;
}

function transcriptCommands(transcriptions: readonly TranscriptionOfSession[], apiUrl: string): string {
  const { method, path } = transcriptionEndpoints.deleteTranscription;
  const commands = transcriptions.map(({ transcriptionId }) => {
    const url = `${apiUrl}${path.replace('{transcriptionId}', transcriptionId)}`;
    return `  curl -X ${method} -H "Authorization: Bearer $TOKEN" '${url}'`;
  });
  return (
    'From the transcripts of these sessions, the command removes the turns of speakers who are known to be the person. A transcript in which ' +
    'nothing tells who speaks keeps what the person said. To delete whole transcripts, run these commands with a token of the organization:\n' +
    commands.join('\n')
  );
}
