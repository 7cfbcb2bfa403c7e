import { App, CfnResource } from 'aws-cdk-lib';
import { stackName, stageConfig } from '#infra/settings/stages.ts';
import { ServiceStack } from '#infra/stack/service-stack.ts';
import { consolePage } from '../support/infra/templates.ts';
import { rejections } from './rejections.ts';

// Like infra/app.ts, but without the resources that the emulator rejects.

const app = new App();
const context = (key: string): string | undefined => app.node.tryGetContext(key);
const stage = context('stage') ?? 'dev';

const config = stageConfig(stage, context);
const consoleFolder = config.console ? consolePage : undefined;
const stack = new ServiceStack(app, stackName(stage), { config, consoleFolder });
const files = ({ cfnResourceType }: CfnResource) => cfnResourceType === 'Custom::CDKBucketDeployment';
for (const resource of stack.node.findAll()) {
  // CDK's function that copies the pages needs boto3, and the AWS CLI of its layer. The emulator has neither, and would wait for it.
  if (CfnResource.isCfnResource(resource) && files(resource))
    resource.node.scope?.node.tryRemoveChild(resource.node.id);
  if (CfnResource.isCfnResource(resource)) for (const { replace } of rejections) replace(resource);
}
