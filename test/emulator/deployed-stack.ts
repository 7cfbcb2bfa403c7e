import { type CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { stackName } from '#infra/settings/stages.ts';
import { stackOutputs } from '#operations/stack-outputs.ts';
import { readFlatTemplate } from '#tools/local/template/flatten.ts';

const Resource = z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) });

/** A resource of the template with the physical ID and status that it has in the stack. */
type DeployedResource = {
  readonly logicalId: string;
  readonly id: string;
  readonly status: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** Reads the deployed resources of a stage's stack and its nested stacks, with their properties from the assembly. */
export async function deployedStack(cloudFormation: CloudFormationClient, stage: string, assembly: string) {
  const name = stackName(stage);
  const template = readFlatTemplate(assembly, `${name}.template.json`);
  const { Resources } = z.object({ Resources: z.record(z.string(), Resource) }).parse(template);
  const summaries = await summariesOf(cloudFormation, name);
  const resources = Object.entries(Resources)
    .filter(([, { Type }]) => Type !== 'AWS::CDK::Metadata') // usage data of CDK
    .map(([logicalId, { Type, Properties }]) => {
      const { id = '', status } = summaries.get(logicalId) ?? {};
      return { logicalId, type: Type, id, status, properties: Properties };
    });
  return {
    name,
    resources,
    outputs: await stackOutputs(cloudFormation, stage),
    /** The resources of a type. Throws if there are none, because a loop over them would check nothing. */
    all(type: string): readonly DeployedResource[] {
      const found = resources.filter((resource) => resource.type === type);
      if (found.length === 0) throw new Error(`There is no ${type}.`);
      return found;
    },
    /** The physical ID of the resource that a `Ref` or a `Fn::GetAtt` of the template names. */
    idOf(reference: unknown): string | undefined {
      const parsed = Reference.safeParse(reference);
      return parsed.success ? summaries.get(parsed.data)?.id : undefined;
    },
  };
}

type DeployedId = { readonly id: string; readonly status: string | undefined };

/** Physical IDs and states by logical ID. Resources of a nested stack have its logical ID as a prefix. */
async function summariesOf(
  cloudFormation: CloudFormationClient,
  StackName: string,
  prefix = '',
): Promise<ReadonlyMap<string, DeployedId>> {
  const summaries = new Map<string, DeployedId>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client: cloudFormation },
    { StackName },
  ))
    for (const { LogicalResourceId = '', PhysicalResourceId = '', ...summary } of StackResourceSummaries) {
      summaries.set(`${prefix}${LogicalResourceId}`, { id: PhysicalResourceId, status: summary.ResourceStatus });
      if (summary.ResourceType !== 'AWS::CloudFormation::Stack') continue;
      const nested = await summariesOf(cloudFormation, PhysicalResourceId, `${prefix}${LogicalResourceId}-`);
      for (const [id, deployed] of nested) summaries.set(id, deployed);
    }
  return summaries;
}

const Reference = z.union([
  z.object({ Ref: z.string() }).transform(({ Ref }) => Ref),
  z.object({ 'Fn::GetAtt': z.tuple([z.string()], z.string()) }).transform((attribute) => attribute['Fn::GetAtt'][0]),
]);

/** A deployed stack. */
export type DeployedStack = Awaited<ReturnType<typeof deployedStack>>;
