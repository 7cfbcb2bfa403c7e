import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, type NagPack, ServerlessChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { type StageConfig, stageNames } from '#infra/settings/stages.ts';
import { everySettingWithConsole, withConsole, withStack } from '../../support/infra/templates.ts';

type Finding = { readonly rule: string; readonly place: string };
type Acknowledgment = Finding & { readonly reason: string };

/** Findings of both packs: all of them, and those without an acknowledged reason in the code. */
function checked(stage: string, config: Partial<StageConfig> = {}) {
  return withStack(stage, { config }, (stack) => {
    const findingsOf = (pack: NagPack): Finding[] =>
      pack
        .validateScope(stack)
        .violations.flatMap(({ ruleName, violatingResources }) =>
          violatingResources.map(({ constructPath }) => ({ rule: ruleName, place: String(constructPath) })),
        );
    const packs = () => [new AwsSolutionsChecks(), new ServerlessChecks()];
    const acknowledgments: Acknowledgment[] = stack.node.findAll().flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) => Object.entries(Object(data)))
        .map(([id, reason]) => ({ rule: id.replace(/^annotation::/i, ''), place: node.path, reason: String(reason) })),
    );
    return {
      acknowledgments,
      unexplained: packs().flatMap(findingsOf),
      // A pack calls isAcknowledged for each finding: see node_modules/cdk-nag/lib/nag-pack.js.
      all: packs().flatMap((pack) => findingsOf(Object.defineProperty(pack, 'isAcknowledged', { value: () => false }))),
    };
  });
}

const stacks = [
  ...stageNames.map((stage) => ({ stage, settings: 'default settings', config: {} })),
  { stage: 'prod', settings: 'a console', config: withConsole },
  { stage: 'prod', settings: 'every setting', config: everySettingWithConsole },
];

describe.each(stacks)('the rule packs, run on $stage with $settings,', ({ stage, config }) => {
  const { acknowledgments, unexplained, all } = checked(stage, config);

  test('report no finding without an acknowledged reason', () => {
    expect(unexplained).toEqual([]);
  });

  test('report a finding for every acknowledged reason', () => {
    expect(all.length).toBeGreaterThan(unexplained.length);
    for (const { rule, place } of acknowledgments) {
      const found = all.filter((finding) => finding.rule === rule && `${finding.place}/`.startsWith(`${place}/`));
      expect([rule, place, found.length > 0]).toEqual([rule, place, true]);
    }
  });

  test('have only reasons that are sentences', () => {
    for (const { reason } of acknowledgments) expect(reason).toMatch(/^[A-Z].{30,}\.$/);
  });

  test('are suppressed for a whole stack only for named wildcards', () => {
    const ofStack = acknowledgments.filter(({ place }) => !place.includes('/'));
    expect(ofStack).not.toEqual([]);
    for (const { rule } of ofStack) expect(rule).toMatch(/^AwsSolutions-IAM5\[Resource::.+\]$/);
    for (const { rule } of ofStack) expect(rule).not.toContain('::*]');
  });
});
