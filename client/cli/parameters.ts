import { readFileSync } from 'node:fs';
import * as notices from '../../shared/contracts/notices/notice-types.ts';
import * as webhooks from '../../shared/contracts/webhooks/webhooks.ts';

// The parts of the API's description and of package.json that the command line needs, as plain data. The build replaces
// this module by these values.

/** A parameter of an operation in the API's description. */
export type Parameter = {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isHeader: boolean;
  readonly choices?: readonly string[];
  readonly isTime: boolean;
  /** The default value. */
  readonly byDefault?: string;
  /** The maximum of a number. */
  readonly maximum?: number;
};

type Described = {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: {
    readonly enum?: string[];
    readonly format?: string;
    readonly default?: string | number;
    readonly maximum?: number;
  };
};
type Operation = { readonly operationId: string; readonly parameters?: readonly Described[] };
type Description = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const description: Description = read('docs/openapi.json');

function parametersOf(operationId: string): readonly Parameter[] {
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
  const operation = operations.find((each) => each.operationId === operationId);
  if (!operation) throw new Error(`docs/openapi.json has no operation ${operationId}.`);
  return (operation.parameters ?? [])
    .filter((each) => each.in !== 'path')
    .map(({ name, in: place, description: text, required = false, schema }) => ({
      name,
      description: text,
      isRequired: required,
      isHeader: place === 'header',
      isTime: schema.format === 'date-time',
      ...(schema.enum && { choices: schema.enum }),
      ...(schema.default !== undefined && { byDefault: String(schema.default) }),
      ...(schema.maximum !== undefined && { maximum: schema.maximum }),
    }));
}

/** The query parameters and headers of the operations that have a command. */
export const parameters = {
  createTranscription: parametersOf('create-transcription'),
  createAccessLink: parametersOf('create-access-link'),
  listTranscriptions: parametersOf('list-transcriptions'),
  listRoomInsights: parametersOf('list-room-insights'),
  listRoomSessionInsights: parametersOf('list-room-session-insights'),
  listParticipants: parametersOf('list-participants'),
  getParticipant: parametersOf('get-participant'),
  listUsage: parametersOf('list-usage'),
  listRefusedEvents: parametersOf('list-refused-events'),
  listNotices: parametersOf('list-notices'),
  createWebhook: parametersOf('create-webhook'),
  rotateWebhookSecret: parametersOf('rotate-webhook-secret'),
  listWebhooks: parametersOf('list-webhooks'),
  listWebhookDeliveries: parametersOf('list-webhook-deliveries'),
};

/** The types of notices. */
export const noticeTypes = [...notices.noticeTypes];

/** The ways in which a webhook can be signed. */
export const signatureSchemes = [...webhooks.signatureSchemes];

/** The version of this command line. */
export const version: string = read('package.json').version;
