import { existsSync } from 'node:fs';
import { Failure } from '../../../base/errors.ts';
import type { Cassette } from './exchange.ts';
import { readCassette, writeCassette } from './file.ts';
import type { Upstream } from './forward.ts';
import { keyOf } from './match.ts';
import { openCassetteServer, type CassetteOptions, type CassetteServer } from './server.ts';

/** `new` keeps what is recorded and adds what is not; `all` records everything again. */
export type Update = 'new' | 'all';

export type RecordOptions = {
  file: string;
  upstream: Upstream;
  update?: Update | undefined;
  ignore?: readonly string[];
} & Pick<CassetteOptions, 'port' | 'speed' | 'strict' | 'bytesMax'>;

/** Records into a file. Without an update it must be a new one. */
export async function openRecorder(options: RecordOptions): Promise<CassetteServer> {
  const { file, update, ignore: added = [], ...rest } = options;
  refuseExisting(file, update);
  const earlier = existsSync(file) ? readCassette(file) : undefined;
  const ignore = [...new Set([...(earlier?.ignore ?? []), ...added])];
  const kept = update === 'new' ? (earlier?.exchanges ?? []) : [];
  const places = earlier?.exchanges.map(({ request }) => keyOf(request, ignore)) ?? [];
  let recorded: Cassette | undefined;
  const save = () => recorded && writeCassette(file, recorded);
  const server = await openCassetteServer({
    ...rest,
    ...{ file, cassette: { ignore, exchanges: kept }, places },
    onChange(cassette) {
      recorded = cassette;
      // A recording that breaks off keeps what it has, but does not end one that was whole.
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
  throw new Failure('already_exists', `${file} is there already.`, {
    details: { fix: `askd record ${file} --update new, or --update all to record everything again` },
  });
}
