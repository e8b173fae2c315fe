import { holesInGuard } from '../../src/net/self-test.ts';
import type { Services } from '../compose.ts';

/** Delivers webhooks, but never through a guard that lets this server reach itself. */
export async function deliverWebhooks({ webhooks, boot, log }: Services): Promise<() => Promise<void>> {
  const holes = await holesInGuard(webhooks.outbound, boot.address().port);
  if (holes.length > 0) {
    log.error({ holes }, 'webhooks are off: the guard lets this server reach itself');
    return async () => undefined;
  }
  webhooks.worker.start();
  return () => webhooks.worker.stop();
}
