import { App } from 'aws-cdk-lib';
import { builtConsole } from '../client/build/console.ts';
import { type StageConfig, stackName, stageConfig } from './settings/stages.ts';
import { unknownSettings } from './settings/unknown-settings.ts';
import { ServiceStack } from './stack/service-stack.ts';

const app = new App();
const context = (key: string): unknown => app.node.tryGetContext(key);
const stage = String(context('stage') ?? 'dev');

/** Prints a mistake in a `-c` option without a stack trace, because the user made it and can fix it. */
function readConfig(): StageConfig {
  try {
    const problems = unknownSettings(app.node.getAllContext());
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return stageConfig(stage, context);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

const config = readConfig();
// A program that serves no pages, such as the local runner, gives a folder instead of waiting for the build.
const consoleFolder = config.console ? (process.env.CONSOLE_FOLDER ?? (await builtConsole())) : undefined;
new ServiceStack(app, stackName(stage), { config, consoleFolder });
