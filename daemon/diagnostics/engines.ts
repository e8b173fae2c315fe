import type { EngineRecord } from '../../src/library/engines/engines.ts';
import type { Diagnostic } from './diagnostic.ts';

/** All of them are optional: a model that needs a missing one reports it itself. */
export const diagnoseEngines: Diagnostic = ({ engines }) =>
  Promise.resolve(
    engines.list().map((engine) => ({
      check: `engine ${engine.name}`,
      level: 'ok' as const,
      message: messageOf(engine),
    })),
  );

function messageOf({ name, version, state, path, purpose }: EngineRecord): string {
  if (path !== undefined) return `${version}, in ${path}`;
  if (state === 'unsupported') return `for ${purpose}; it has no build for this platform`;
  return `not installed; for ${purpose}: askd engines install ${name}`;
}
