import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, CloudFormationValidatePlugin } from 'aws-cdk-lib';
import * as z from 'zod';

const Section = z.record(z.string(), z.unknown()).default({});
/** The sections of a template that tests read. */
export const TemplateSections = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: Section })),
  Parameters: Section,
  Outputs: Section,
  Mappings: Section,
});
/** A template of CloudFormation. */
export type TemplateSections = z.infer<typeof TemplateSections>;

/** The validator of every synthesis in this process: it takes seconds to initialize. CDK says that tests use it, but not in its API. */
const validator = CloudFormationValidatePlugin._singletonInstance();

/** The findings of CDK's validator for a template, including warnings. */
export function findings(template: unknown): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomscribe-template-'));
  try {
    const templatePath = path.join(folder, 'template.json');
    writeFileSync(templatePath, JSON.stringify(template));
    const { violations } = validator.validate({
      appConstruct: new App(),
      templatePaths: [templatePath],
      stackTemplates: [{ stackConstructPath: 'Stack', templatePath, accountId: undefined, region: undefined }],
    });
    return violations.map(
      ({ severity, description, violatingResources }) =>
        `${severity}: ${violatingResources.map(({ resourceLogicalId }) => resourceLogicalId).join(', ')}: ${description}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
