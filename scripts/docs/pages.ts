import { apiReference } from './api.ts';
import { cliReference } from './cli.ts';
import { configurationReference } from './configuration.ts';

/** The pages with a generated part, by their paths from the root. */
export const GENERATED: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/api.md': apiReference,
  'docs/cli.md': cliReference,
  'docs/configuration.md': configurationReference,
};
