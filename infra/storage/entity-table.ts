import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { attributeNames } from '#shared/runtime/names.ts';

/** A global secondary index: its keys, and whether it has all attributes, only the keys, or also the listed attributes. */
export type IndexSpec = {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly projection: 'all' | 'keys' | readonly string[];
};

/** Settings of a table: keys, indexes, and whether it is deleted with the stack. */
export type EntityTableProps = {
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly indexes?: readonly IndexSpec[];
  /** The table has a stream of its changes, with the items as they then are. */
  readonly streamsNewItems?: boolean;
  readonly removalPolicy: RemovalPolicy;
  /** The key that encrypts the table. Default: a key of AWS. */
  readonly encryptionKey: IKey | undefined;
};

/** A table for one kind of item: on-demand billing, point-in-time recovery and item expiry. */
export class EntityTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, props: EntityTableProps) {
    super(scope, id);
    const { partitionKey, sortKey, indexes = [], streamsNewItems, removalPolicy, encryptionKey } = props;
    this.table = new Table(this, 'Table', {
      partitionKey: text(partitionKey),
      ...(sortKey !== undefined && { sortKey: text(sortKey) }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: attributeNames.expiresAt,
      ...(streamsNewItems && { stream: StreamViewType.NEW_IMAGE }),
      ...(encryptionKey && { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }),
      deletionProtection: removalPolicy === RemovalPolicy.RETAIN,
      removalPolicy,
    });
    for (const index of indexes) {
      this.table.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        ...projectionOf(index),
      });
    }
  }
}

function projectionOf({ projection }: IndexSpec) {
  if (projection === 'all') return { projectionType: ProjectionType.ALL };
  if (projection === 'keys') return { projectionType: ProjectionType.KEYS_ONLY };
  return { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...projection] };
}

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });
