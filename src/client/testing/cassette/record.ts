import { existsSync } from 'node:fs';
import { Failure } from '../../../base/errors.ts';
import type { Cassette } from './exchange.ts';
import { readCassette, writeCassette } from './file.ts';
import type { Upstream } from './forward.ts';
import { keyOf } from './match.ts';
import { compileRules, NO_RULES, withRules, type Rules } from './rules.ts';
import { openCassetteServer, type CassetteOptions, type CassetteServer } from './server.ts';

/** `new` keeps what is recorded and adds what is missing; `all` records everything again. */
export type Update = 'new' | 'all';

export type RecordOptions = {
  file: string;
  upstream: Upstream;
  update?: Update | undefined;
  /** Added to the rules of the file. */
  ignore?: readonly string[];
  match?: Rules['match'];
} & Pick<CassetteOptions, 'port' | 'speed' | 'strict' | 'bytesMax'>;

/** Records into a file. Without an update, the file must be new. */
export async function openRecorder(options: RecordOptions): Promise<CassetteServer> {
  const { file, update, ignore = [], match = {}, ...rest } = options;
  refuseExisting(file, update);
  const earlier = existsSync(file) ? readCassette(file) : undefined;
  const rules = withRules(earlier ?? NO_RULES, { ignore, match });
  const kept = update === 'new' ? (earlier?.exchanges ?? []) : [];
  const comparison = compileRules(rules);
  const places = earlier?.exchanges.map(({ request }) => keyOf(request, comparison)) ?? [];
  let recorded: Cassette | undefined;
  const save = () => recorded && writeCassette(file, recorded);
  const server = await openCassetteServer({
    ...rest,
    ...{ file, cassette: { ...rules, exchanges: kept }, places },
    onChange(cassette) {
      recorded = cassette;
      // An interrupted recording keeps what it has, but never replaces a complete one.
      if (update !== 'all') save();
    },
  });
  return {
    ...server,
    close: async (): Promise<void> => {
      await server.close();
      save();
    },
  };
}

export function refuseExisting(file: string, update: Update | undefined): void {
  if (update !== undefined || !existsSync(file)) return;
  throw new Failure('already_exists', `${file} already exists.`, {
    details: { fix: `askd record ${file} --update new, or --update all to record everything again` },
  });
}
