import { Readable } from 'node:stream';
import type { Command } from 'commander';
import type {
  GetParticipant,
  ListParticipants,
  ListRoomInsights,
  ListRoomSessionInsights,
  ListUsage,
  SessionParticipant,
} from '../../../types.ts';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { addParameters, examples } from '../../options.ts';
import { duration, minutes, plain, rounded, time } from '../../output/format.ts';
import { networkCharts } from '../../output/network.ts';
import type { Column } from '../../output/table.ts';
import { parameters } from '../../parameters.ts';
import { type Query, showsList } from '../common/list.ts';
import { printRows, rowFormatOf, rowOptions } from '../common/rows.ts';

/** Adds `rooms`, `sessions`, `participants`, `network` and `usage`. */
export function addInsights(program: Command, cli: Cli): void {
  addRooms(program, cli);
  addSessions(program, cli);
  addParticipants(program, cli);
  addNetwork(program, cli);
  addUsage(program, cli);
}

function addRooms(program: Command, cli: Cli): void {
  const command = program.command('rooms').description('List rooms with the totals of all their sessions.');
  showsList(command, cli, {
    parameters: parameters.listRoomInsights,
    nothing: 'No rooms.',
    list: (client, query, options) => client.insights.listRooms(query as ListRoomInsights, options),
    columns: () => [
      { header: 'ROOM', value: ({ roomName }) => roomName, mayBeCut: true },
      { header: 'LAST USED (UTC)', value: ({ lastSessionStartedAt }) => time(lastSessionStartedAt) },
      { header: 'SESSIONS', value: ({ totalSessions }) => String(totalSessions), align: 'right' },
      { header: 'PEOPLE', value: ({ totalUniqueParticipants }) => String(totalUniqueParticipants), align: 'right' },
      { header: 'MINUTES', value: ({ totalParticipantMinutes }) => minutes(totalParticipantMinutes), align: 'right' },
      { header: 'RATING', value: ({ rating }) => rounded(rating), align: 'right' },
    ],
  }).addHelpText(
    'after',
    examples('$ roomscribe rooms --room-name-starts-with /team/', '$ roomscribe rooms --sort-by rating:asc --limit 20'),
  );
}

function addSessions(program: Command, cli: Cli): void {
  const command = program.command('sessions').description('List the sessions of a room.');
  showsList(command, cli, {
    parameters: parameters.listRoomSessionInsights,
    nothing: 'No sessions.',
    list: (client, query, options) =>
      client.insights.listRoomSessions(query as ListRoomSessionInsights & typeof query, options),
    columns: () => [
      { header: 'SESSION', value: ({ roomSessionId }) => roomSessionId },
      { header: 'START (UTC)', value: ({ startedAt }) => time(startedAt) },
      { header: 'END (UTC)', value: ({ endedAt }) => time(endedAt), mayBeLeftOut: true },
      { header: 'PEOPLE', value: ({ totalUniqueParticipants }) => String(totalUniqueParticipants), align: 'right' },
      { header: 'MINUTES', value: ({ totalParticipantMinutes }) => minutes(totalParticipantMinutes), align: 'right' },
      { header: 'RATING', value: ({ rating }) => rounded(rating), align: 'right' },
    ],
  }).addHelpText(
    'after',
    examples(
      '$ roomscribe sessions /team/standup',
      '$ roomscribe sessions /team/standup --started-at-from 2026-03-01T00:00Z --all',
    ),
  );
}

function addParticipants(program: Command, cli: Cli): void {
  const command = program
    .command('participants')
    .description(
      'List the participants of a session, or the sessions of an external id. Needs at least one of the ids.',
    );
  showsList(command, cli, {
    parameters: parameters.listParticipants,
    nothing: 'No participants.',
    list: (client, query, options) => client.insights.listParticipants(query as ListParticipants, options),
    columns: participantColumns,
  }).addHelpText(
    'after',
    examples(
      '$ roomscribe participants \\',
      '    --room-session-id 0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10',
      '$ roomscribe participants --external-id crm-20817 --all',
    ),
  );
}

function addNetwork(program: Command, cli: Cli): void {
  const command = program
    .command('network')
    .description('Draw the packet loss and bitrate of each connection of a participant.');
  addParameters(command, parameters.getParticipant);
  for (const option of rowOptions()) command.addOption(option);
  command
    .addHelpText('after', examples('$ roomscribe network 0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10 p-17'))
    .action(async (roomSessionId: string, participantId: string) => {
      const output = outputOf(cli, command);
      const format = rowFormatOf(command);
      const { from, to } = command.opts<Pick<GetParticipant, 'from' | 'to'>>();
      const query: GetParticipant = { roomSessionId, participantId, from, to };
      if (format) {
        await withClient(cli, command, async ({ insights }) => {
          const page = await insights.getParticipantRows(query, format, { signal: cli.signal });
          return printRows(cli, command, { pages: Readable.from([page]), wanted: undefined });
        });
        return;
      }
      const connections = await withClient(cli, command, (client) =>
        client.insights.getParticipant(query, { signal: cli.signal }),
      );
      output.print(connections, (screen) => connections.map((each) => networkCharts(each, screen)).join('\n\n'));
      if (connections.length === 0) output.note('No connections.');
    });
}

function addUsage(program: Command, cli: Cli): void {
  const command = program
    .command('usage')
    .description('List what was used by day and room. By default, of the current month (UTC).');
  showsList(command, cli, {
    parameters: parameters.listUsage,
    nothing: 'No usage.',
    list: (client, query, options) => client.insights.listUsage(query as ListUsage, options),
    columns: () => [
      { header: 'DAY (UTC)', value: ({ day }) => day },
      { header: 'ROOM', value: ({ roomName }) => roomName, mayBeCut: true },
      { header: 'SESSIONS', value: ({ sessions }) => String(sessions), align: 'right' },
      { header: 'MINUTES', value: ({ participantMinutes }) => minutes(participantMinutes), align: 'right' },
      { header: 'RECORDED', value: (each) => minutes(each.recorderMinutes), align: 'right', mayBeLeftOut: true },
      { header: 'STREAMED', value: (each) => minutes(each.streamerMinutes), align: 'right', mayBeLeftOut: true },
      { header: 'TRANSCRIPTIONS', value: ({ transcriptions }) => String(transcriptions), align: 'right' },
      { header: 'TRANSCRIBED', value: ({ transcribedSeconds }) => duration(transcribedSeconds), align: 'right' },
    ],
  }).addHelpText(
    'after',
    examples('$ roomscribe usage --all', '$ roomscribe usage --from 2026-03-01 --to 2026-03-31 --all --csv'),
  );
}

function stay({ joinedAt, leftAt }: SessionParticipant): string {
  return leftAt === null ? '-' : duration(Math.round((Date.parse(leftAt) - Date.parse(joinedAt)) / 1000));
}

/** The columns of participants. A list of all sessions also has a column for the session. */
function participantColumns({ roomSessionId }: Query): Column<SessionParticipant>[] {
  const session: Column<SessionParticipant> = { header: 'SESSION', value: (each) => each.roomSessionId };
  return [
    ...(roomSessionId === undefined ? [session] : []),
    { header: 'PARTICIPANT', value: ({ participantId }) => participantId },
    { header: 'NAME', value: ({ displayName }) => plain(displayName), mayBeCut: true },
    { header: 'ROLE', value: ({ roleName }) => plain(roleName), mayBeCut: true },
    { header: 'JOINED (UTC)', value: ({ joinedAt }) => time(joinedAt) },
    { header: 'STAYED', value: stay, align: 'right' },
  ];
}
