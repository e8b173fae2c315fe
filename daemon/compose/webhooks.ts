import { readFileSync } from 'node:fs';
import { systemClock, toIso, type Clock } from '../../src/base/clock.ts';
import type { Settings } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Events } from '../../src/events/events.ts';
import type { Notices } from '../../src/events/notices.ts';
import type { Log } from '../../src/log/log.ts';
import { createGuard } from '../../src/net/guard.ts';
import { createOutbound } from '../../src/net/outbound.ts';
import { openSeal } from '../../src/base/sealed.ts';
import type { Store } from '../../src/store/store.ts';
import type { Disabled } from '../../src/webhooks/queue.ts';
import { requestOf } from '../../src/webhooks/troubled-send.ts';
import type { Simulations } from '../../src/access/simulation/simulations.ts';
import { createWebhooks } from '../../src/webhooks/webhooks.ts';
import type { Boot } from '../boot.ts';

type Options = {
  settings: Settings;
  store: Store;
  events: Events;
  clock: Clock;
  testClock: Clock | undefined;
  boot: Boot;
  notices: Notices;
  log: Log;
  simulations: Simulations;
};

/** The webhook part of the daemon: only its outbound guard can be opened to private networks by the settings. */
export function composeWebhooks({
  settings,
  store,
  events,
  clock,
  testClock,
  boot,
  notices,
  log,
  simulations,
}: Options) {
  const guard = createGuard({
    allowCidrs: settings.webhooksAllowCidrs,
    ownPort: () => boot.address().port,
  });
  const outbound = createOutbound({ guard, extraCa: readExtraCa(settings) });

  function onDisabled({ id, accountId, name, reason }: Disabled): void {
    log.warn({ webhook_id: id, name, reason }, 'a webhook was disabled');
    notices.once(accountId, {
      kind: 'webhook_disabled',
      period: `${id} ${toIso(clock.now())}`,
      message: `The webhook "${name}" was disabled: ${REASONS[reason]} Enable it again: askd webhooks resume ${id}`,
    });
  }

  const webhooks = createWebhooks({
    store,
    events,
    seal: openSeal(settings.paths.sealKey),
    guard,
    outbound,
    clock,
    waitsMs: settings.webhooksRetryWaitsMs,
    ...(testClock && FOR_TESTS),
    troubleOf: (event) => simulations.of(requestOf(event))?.trouble.webhook,
    onDisabled,
    onBug: (error) => log.error({ err: error }, 'webhooks failed'),
  });
  return { ...webhooks, outbound };
}

/** A test knows exactly when the next attempt is due. */
const FOR_TESTS = { wallClock: systemClock, random: () => 0.5 };

const REASONS: Record<Disabled['reason'], string> = {
  gone: 'its receiver answered 410 (gone).',
  failing: 'every attempt has failed for five days.',
};

function readExtraCa({ webhooksCa }: Settings): string | undefined {
  if (webhooksCa === '') return undefined;
  try {
    return readFileSync(webhooksCa, 'utf8');
  } catch (cause) {
    throw new Failure('config_invalid', `The file ${webhooksCa} (webhooks_ca) cannot be read.`, { cause });
  }
}
