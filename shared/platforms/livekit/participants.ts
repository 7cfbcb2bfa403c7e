import type { NewEvent } from '../platform.ts';
import type { Participant } from './payload.ts';
import type { LivekitSettings } from './settings.ts';

type JoinData = Extract<NewEvent, { type: 'room.client.joined' }>['data'];

/** What a join says of a participant. The identity is the participant: it is the same after a rejoin. */
export function describe(
  { identity, name, attributes = {}, ...participant }: Participant,
  settings: LivekitSettings,
): Omit<JoinData, 'roomName' | 'roomSessionId'> {
  const textOf = (attribute: string | undefined) => (attribute && attributes[attribute]) || undefined;
  const externalId = textOf(settings.externalIdAttribute);
  return {
    participantId: identity,
    deviceId: textOf(settings.deviceAttribute) ?? identity,
    ...(settings.identityIs !== 'connection' && { userId: identity }),
    roleName: roleByKind(participant, settings) ?? textOf(settings.roleAttribute) ?? defaultRole(participant),
    displayName: name ?? '',
    ...(externalId !== undefined && { externalId }),
  };
}

/**
 * The role of a participant that is no person. Agents and hidden participants join as `captioner`, which counts nowhere in every stage. A
 * role `agent` could not mean that: in a call centre, agents are people.
 */
function roleByKind({ kind, permission }: Pick<Participant, 'kind' | 'permission'>, settings: LivekitSettings) {
  if (kind === 'EGRESS' || permission?.recorder) return 'recorder';
  if (permission?.hidden) return 'captioner';
  if (kind === 'INGRESS') return settings.ingressIs === 'participant' ? undefined : 'streamer';
  if (kind === 'AGENT' || permission?.agent) return settings.agentsAre === 'participant' ? undefined : 'captioner';
  return undefined;
}

function defaultRole({ kind, permission }: Pick<Participant, 'kind' | 'permission'>): string {
  if (kind === 'AGENT' || permission?.agent) return 'agent';
  return kind === 'SIP' ? 'dial-in' : 'visitor';
}
