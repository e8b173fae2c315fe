import { MODERATION_CATEGORIES } from '../../base/moderation-categories.ts';
import type { LabelRule, ModerationRules } from '../../runtime/manifest.ts';

/**
 * The labels of KoalaAI/Text-Moderation. It has no threats within harassment, and does not distinguish kinds of
 * self-harm.
 */
const KOALA: Readonly<Record<string, LabelRule>> = {
  hate: { greatestOf: ['H'] },
  'hate/threatening': { greatestOf: ['H2'] },
  harassment: { greatestOf: ['HR'] },
  'harassment/threatening': { leastOf: ['HR', 'V'] },
  'self-harm': { greatestOf: ['SH'] },
  'self-harm/intent': { greatestOf: [] },
  'self-harm/instructions': { greatestOf: [] },
  sexual: { greatestOf: ['S'] },
  'sexual/minors': { greatestOf: ['S3'] },
  violence: { greatestOf: ['V'] },
  'violence/graphic': { greatestOf: ['V2'] },
};

/** The rules of a classifier with known labels; undefined if somebody has to write them. */
export function rulesForLabels(labels: readonly string[]): ModerationRules | undefined {
  const known = (rules: Readonly<Record<string, LabelRule>>) =>
    Object.values(rules).every((rule) => labelsOf(rule).every((label) => labels.includes(label)));
  const same = Object.fromEntries(MODERATION_CATEGORIES.map((name) => [name, { greatestOf: [name] }]));
  const rules = [same, KOALA].find(known);
  return rules && { labels: rules };
}

/** Checks that the rules cover every category with labels that exist. */
export function findRuleProblem({ labels: rules = {} }: ModerationRules, labels: readonly string[]) {
  for (const category of MODERATION_CATEGORIES) {
    const rule = rules[category];
    if (!rule) return `no rule for "${category}"`;
    const unknown = labelsOf(rule).find((label) => !labels.includes(label));
    if (unknown !== undefined) return `the rule for "${category}" names the label "${unknown}"`;
  }
  return undefined;
}

export function labelsOf(rule: LabelRule): readonly string[] {
  return 'leastOf' in rule ? rule.leastOf : rule.greatestOf;
}
