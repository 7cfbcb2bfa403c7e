import { closeSession } from '../organization/close-session.ts';
import { type Dependencies, findScope } from '../organization/scope.ts';
import type { ConnectionCommand } from './command.ts';
import { connect, disconnect, dropSecret, listConnections, rotate } from './manage.ts';
import { replay } from './replay.ts';

/** Runs a command on the connections of an organization, and returns the text to print. */
export async function runConnectionCommand(command: ConnectionCommand, dependencies: Dependencies): Promise<string> {
  const scope = await findScope(command, dependencies);
  switch (command.action) {
    case 'connect':
      return connect(command, scope, dependencies);
    case 'connections':
      return listConnections(command, scope);
    case 'rotate connection':
      return rotate(command, scope, dependencies);
    case 'drop connection secret':
      return dropSecret(command, scope);
    case 'disconnect':
      return disconnect(command, scope);
    case 'replay':
      return replay(command, scope, dependencies);
    case 'close-session': {
      const { organizationId, deployment } = scope;
      return closeSession(deployment, { organizationId, roomSessionId: command.roomSessionId, at: command.at });
    }
  }
}
