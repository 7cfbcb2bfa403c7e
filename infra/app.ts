import { App } from 'aws-cdk-lib';
import { ServiceStack } from './service-stack.ts';
import { stackName, stageConfig } from './stages.ts';

const app = new App();
const context = (key: string): string | undefined => app.node.tryGetContext(key);
const stage = context('stage') ?? 'dev';

new ServiceStack(app, stackName(stage), { config: stageConfig(stage, context) });
