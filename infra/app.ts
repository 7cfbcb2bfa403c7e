import { App } from 'aws-cdk-lib';
import { ServiceStack } from './service-stack.ts';
import { type StageConfig, stackName, stageConfig } from './stages.ts';

const app = new App();
const context = (key: string): string | undefined => app.node.tryGetContext(key);
const stage = context('stage') ?? 'dev';

/** What `-c` says is the person's own: a mistake in it is told without a stack trace. */
function readConfig(): StageConfig {
  try {
    return stageConfig(stage, context);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

new ServiceStack(app, stackName(stage), { config: readConfig() });
