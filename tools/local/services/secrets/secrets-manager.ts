import { randomBytes } from 'node:crypto';
import type * as z from 'zod';
import { host } from '#tools/local/ports.ts';
import type { StackSecret } from '#tools/local/template/stack.ts';
import { accountId, region } from '#tools/shared/client-settings.ts';
import { type Operation, type RunningServer, serveAwsJson } from '../aws-json.ts';
import { parsedOperation } from '../parsed-operation.ts';
import { ServiceError } from '../service-error.ts';
import {
  CreateSecret,
  DeleteSecret,
  DescribeSecret,
  type filterKeys,
  GetSecretValue,
  ListSecrets,
  PutSecretValue,
} from './secret-requests.ts';
import { openSecretStore, type SecretStore, type StoredSecret } from './secret-store.ts';
import { createStackSecrets } from './stack-secrets.ts';

/** The port of Secrets Manager, the file of its secrets, and the log. */
export type SecretsManagerOptions = {
  readonly port: number;
  /** Keeps the secrets, so that they survive a restart. */
  readonly file: string;
  /** The secrets of the stack, which must exist. */
  readonly stackSecrets?: readonly StackSecret[];
  readonly log: (event: unknown) => void;
};

/**
 * Serves secrets of texts as Secrets Manager does: create, read, write, describe, delete and list. It encrypts nothing: the file
 * can be read by its owner only.
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Operations.html
 */
export async function startSecretsManager(options: SecretsManagerOptions): Promise<RunningServer> {
  const { port, file, stackSecrets = [], log } = options;
  const store = await openSecretStore(file);
  await createStackSecrets(store, stackSecrets);
  const operations = createOperations(store);
  const byTarget = new Map(Object.entries(operations).map(([name, run]) => [`secretsmanager.${name}`, run]));
  return serveAwsJson(byTarget, { host, port, log: (event, facts) => log({ event, ...facts }) });
}

const dayS = 86_400;
const defaultRecoveryDays = 30;

/** The operations of Secrets Manager on the secrets of a store. */
function createOperations(store: SecretStore): Record<string, Operation> {
  const find = (id: string) => store.all().find(({ arn, name }) => arn === id || name === id);
  const nameOf = (id: string): string => find(id)?.name ?? id;
  const operation = <Schema extends z.ZodType>(
    schema: Schema,
    run: (request: z.output<Schema>) => Promise<object>,
  ): Operation => parsedOperation('InvalidParameterException', schema, run);
  return {
    CreateSecret: operation(CreateSecret, async (request) => {
      const secret = present(await store.change(request.Name, (existing) => created(request, existing)));
      return { ...identity(secret), VersionId: secret.versions[0]?.id };
    }),
    GetSecretValue: operation(GetSecretValue, async (request) => readValue(active(find(request.SecretId)), request)),
    PutSecretValue: operation(PutSecretValue, async (request) => {
      const { SecretId, ClientRequestToken: VersionId } = request;
      const change = (existing: StoredSecret | undefined) => replaced(request, active(existing));
      const secret = present(await store.change(nameOf(SecretId), change));
      return { ...identity(secret), VersionId, VersionStages: stagesOf(secret)[VersionId] ?? [] };
    }),
    DescribeSecret: operation(DescribeSecret, async ({ SecretId }) => {
      const secret = present(find(SecretId));
      return { ...described(secret), VersionIdsToStages: stagesOf(secret) };
    }),
    DeleteSecret: operation(DeleteSecret, async (request) => remove(store, nameOf(request.SecretId), request)),
    ListSecrets: operation(ListSecrets, async (request) => listed(store.all(), request)),
  };
}

/** Removes a secret at once, or marks it for deletion. As in AWS, the removal of a secret that does not exist succeeds. */
async function remove(store: SecretStore, name: string, request: z.output<typeof DeleteSecret>): Promise<object> {
  const { ForceDeleteWithoutRecovery: force, RecoveryWindowInDays: days } = request;
  if (force && days !== undefined)
    throw invalid("You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.");
  const DeletionDate = now() + (force ? 0 : (days ?? defaultRecoveryDays) * dayS);
  if (force) {
    await store.change(name, () => undefined);
    return { Name: name, DeletionDate };
  }
  const secret = await store.change(name, (existing) => ({ ...active(existing), deletedAt: DeletionDate }));
  return { ...identity(present(secret)), DeletionDate };
}

function readValue(secret: StoredSecret, { VersionId, VersionStage }: z.output<typeof GetSecretValue>): object {
  const stages = stagesOf(secret);
  const stage = VersionStage ?? (VersionId === undefined ? 'AWSCURRENT' : undefined);
  const version = secret.versions.find(
    ({ id }) => (VersionId ?? id) === id && (stage === undefined || stages[id]?.includes(stage)),
  );
  if (!version) throw new ServiceError('ResourceNotFoundException', `${notFound} value.`);
  const { id, value, createdAt } = version;
  return {
    ...identity(secret),
    ...{ VersionId: id, SecretString: value, VersionStages: stages[id], CreatedDate: createdAt },
  };
}

function created(request: z.output<typeof CreateSecret>, existing: StoredSecret | undefined): StoredSecret {
  const { Name, SecretString: value, ClientRequestToken: id, Description, KmsKeyId, Tags } = request;
  const version = existing?.versions.find((each) => each.id === id);
  if (existing?.deletedAt !== undefined)
    throw new ServiceError(
      'InvalidRequestException',
      "You can't create this secret because a secret with this name is already scheduled for deletion.",
    );
  if (existing && version?.value === value) return existing; // a repeated request
  if (existing)
    throw new ServiceError(
      'ResourceExistsException',
      `The operation failed because the secret ${Name} already exists.`,
    );
  const createdAt = now();
  return {
    arn: `arn:aws:secretsmanager:${region}:${accountId}:secret:${Name}-${randomBytes(3).toString('hex')}`,
    name: Name,
    ...(Description !== undefined && { description: Description }),
    ...(KmsKeyId !== undefined && { kmsKeyId: KmsKeyId }),
    tags: Tags,
    createdAt,
    changedAt: createdAt,
    versions: [{ id, value, createdAt }],
  };
}

function replaced(request: z.output<typeof PutSecretValue>, secret: StoredSecret): StoredSecret {
  const { SecretString: value, ClientRequestToken: id } = request;
  const version = secret.versions.find((each) => each.id === id);
  if (version?.value === value) return secret; // a repeated request
  if (version)
    throw new ServiceError(
      'ResourceExistsException',
      `You can't use ClientRequestToken ${id} because that value is already in use for a version of secret ${secret.arn}.`,
    );
  const createdAt = now();
  return { ...secret, changedAt: createdAt, versions: [{ id, value, createdAt }, ...secret.versions.slice(0, 1)] };
}

function listed(secrets: readonly StoredSecret[], request: z.output<typeof ListSecrets>): object {
  const { Filters, IncludePlannedDeletion, MaxResults, NextToken } = request;
  const textsOf = ({ name, tags }: StoredSecret, key: (typeof filterKeys)[number]): string[] => {
    if (key === 'name') return [name];
    return tags.map(({ Key, Value }) => (key === 'tag-key' ? Key : Value));
  };
  const found = secrets
    .filter(({ deletedAt }) => IncludePlannedDeletion || deletedAt === undefined)
    .filter((secret) =>
      Filters.every(({ Key, Values }) =>
        textsOf(secret, Key).some((text) => Values.some((value) => text.startsWith(value))),
      ),
    )
    .toSorted((one, other) => (one.arn < other.arn ? -1 : 1));
  // The token is the last ARN of the page, so that the list goes on if secrets were removed since.
  const rest = found.filter(({ arn }) => NextToken === undefined || arn > NextToken);
  const page = rest.slice(0, MaxResults);
  return {
    SecretList: page.map((secret) => ({ ...described(secret), SecretVersionsToStages: stagesOf(secret) })),
    ...(rest.length > page.length && { NextToken: page.at(-1)?.arn }),
  };
}

const notFound = "Secrets Manager can't find the specified secret";

function present(secret: StoredSecret | undefined): StoredSecret {
  if (secret) return secret;
  throw new ServiceError('ResourceNotFoundException', `${notFound}.`);
}

function active(secret: StoredSecret | undefined): StoredSecret {
  if (present(secret).deletedAt === undefined) return present(secret);
  throw new ServiceError(
    'InvalidRequestException',
    "You can't perform this operation on the secret because it was marked for deletion.",
  );
}

function invalid(message: string): ServiceError {
  return new ServiceError('InvalidParameterException', message);
}

function now(): number {
  return Date.now() / 1000;
}

function identity({ arn, name }: StoredSecret) {
  return { ARN: arn, Name: name };
}

function stagesOf({ versions: [current, previous] }: StoredSecret): Record<string, string[]> {
  return {
    ...(current && { [current.id]: ['AWSCURRENT'] }),
    ...(previous && { [previous.id]: ['AWSPREVIOUS'] }),
  };
}

function described(secret: StoredSecret): object {
  const { description, kmsKeyId, tags, createdAt, changedAt, deletedAt } = secret;
  return {
    ...identity(secret),
    Description: description,
    KmsKeyId: kmsKeyId,
    Tags: tags,
    CreatedDate: createdAt,
    LastChangedDate: changedAt,
    DeletedDate: deletedAt,
  };
}
