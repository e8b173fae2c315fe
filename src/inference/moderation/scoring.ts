import type { ItemEvent } from '../../runtime/engine.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { Runner } from '../../runtime/runner.ts';
import { classifyRequest } from './questions.ts';
import { scoresByRules, type CategoryScores } from './scores.ts';

type Scoring = {
  runner: Runner;
  manifest: ModelManifest;
  inputs: readonly string[];
  accountId: string;
  signal: AbortSignal;
};

/** A classifier has its own labels; any other model is asked about each category. */
export function startScoring({
  runner,
  manifest,
  inputs,
  accountId: cacheSalt,
  signal,
}: Scoring): AsyncIterable<ItemEvent<Record<string, number>>> {
  if (runner.classify) return runner.classify({ inputs }, signal);
  if (runner.classifyByPrompt)
    return runner.classifyByPrompt({ ...classifyRequest(inputs, manifest.moderation), cacheSalt }, signal);
  throw new Error(`${manifest.id} does not moderate`);
}

export function categoryScores(
  { moderation }: ModelManifest,
  result: Record<string, number>,
): CategoryScores {
  return moderation?.labels ? scoresByRules(moderation, result) : (result as CategoryScores);
}
