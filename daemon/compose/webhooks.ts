import { readFileSync } from 'node:fs';
import type { Settings } from '../../src/config.ts';
import { Failure } from '../../src/errors.ts';
import { createGuard } from '../../src/net/guard.ts';
import { createOutbound } from '../../src/net/outbound.ts';
import type { Boot } from '../boot.ts';

/** The webhook part of the daemon: its way out is the only one that the settings can open to private networks. */
export function composeWebhooks({ settings, boot }: { settings: Settings; boot: Boot }) {
  const guard = createGuard({
    allowCidrs: settings.webhooksAllowCidrs,
    ownPort: () => boot.address().port,
  });
  return { outbound: createOutbound({ guard, extraCa: readExtraCa(settings) }) };
}

function readExtraCa({ webhooksCa }: Settings): string | undefined {
  if (webhooksCa === '') return undefined;
  try {
    return readFileSync(webhooksCa, 'utf8');
  } catch (cause) {
    throw new Failure('config_invalid', `The file ${webhooksCa} of webhooks_ca cannot be read.`, { cause });
  }
}
