import type { LiveTranscriptionEvent } from '#shared/contracts/events.ts';
import type { KnownWebhook } from './known-webhooks.ts';

/** A recording as one of its events describes it. */
export type ReportedRecording = { readonly finishedAt: string; readonly key: string; readonly roomName: string };

/** A track as an event describes it. Of the reports of one participant, the latest one counts. */
export type ReportedTrack = {
  readonly participantId: string;
  readonly reportedAt: string;
  readonly reportedBy: string;
  readonly key: string;
};

/** The first answer of a completed call with an idempotency key. */
type KeyedAnswer = { readonly body: string; readonly location: string | undefined; readonly atHour: number };

/** A link of the API, and whether a client knows that it was revoked. */
export type KnownLink = {
  readonly organizationId: string;
  readonly transcriptionId: string;
  readonly token: string;
  isRevoked: boolean;
};

/** What the answers of the API promise, and what the platform has sent. The service must agree with it once it is at rest. */
export class Knowledge {
  /** The transcriptions of which a client has a `Location`, by organization. */
  readonly created = new Map<string, Set<string>>();
  /** The transcriptions that existed when a client asked to delete them, and that were promised to be deleted. */
  readonly deleted = new Map<string, Set<string>>();
  /** The transcriptions whose deletion was requested, with or without an answer. */
  readonly deletionRequested = new Map<string, Set<string>>();
  /** The deletions that no client knows to be accepted. Their clients repeat them. */
  readonly unanswered = new Map<string, Set<string>>();
  /** The readable events of recordings, by organization and recording. */
  readonly recordings = new Map<string, ReportedRecording[]>();
  /** The reports of tracks, by organization and recording. */
  readonly tracks = new Map<string, ReportedTrack[]>();
  /** The readable events of live transcriptions, by organization and transcription. */
  readonly live = new Map<string, LiveTranscriptionEvent[]>();
  /** The completed calls with a key, by organization, operation and key. */
  readonly keyed = new Map<string, KeyedAnswer>();
  /** The links of the API that clients have. */
  links: KnownLink[] = [];
  /** How jobs ended, by name. */
  readonly jobResults = new Map<string, string>();
  /** The recordings of which an event named a file that was not uploaded, by organization. */
  readonly withoutFile = new Map<string, Set<string>>();
  /** The messages that no worker accepts. They become dead letters. */
  refused: readonly object[] = [];
  /** The webhooks of which a client knows the id. */
  webhooks: KnownWebhook[] = [];
  /** The webhooks with a replay that may have begun without a message. */
  readonly unansweredReplays = new Set<string>();

  /** Forgets an organization that is erased. */
  forget(organizationId: string): void {
    for (const map of [this.created, this.deleted, this.deletionRequested, this.unanswered, this.withoutFile])
      map.delete(organizationId);
    this.links = this.links.filter((link) => link.organizationId !== organizationId);
    this.webhooks = this.webhooks.filter((webhook) => webhook.organizationId !== organizationId);
    for (const map of [this.recordings, this.tracks, this.live, this.keyed])
      for (const key of map.keys()) if (key.startsWith(`${organizationId} `)) map.delete(key);
  }
}

/** Adds an element to the set of a key. */
export function addTo<Element>(sets: Map<string, Set<Element>>, key: string, element: Element): void {
  sets.set(key, (sets.get(key) ?? new Set<Element>()).add(element));
}

/** Appends an element to the list of a key. */
export function appendTo<Element>(lists: Map<string, Element[]>, key: string, element: Element): void {
  lists.set(key, [...(lists.get(key) ?? []), element]);
}
