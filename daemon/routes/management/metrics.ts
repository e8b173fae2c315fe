import { metrics } from '../../../src/api/management/metrics.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export function registerMetrics(register: RegisterRoute, { telemetry }: Pick<Services, 'telemetry'>): void {
  register(metrics, ({ reply }) => {
    void reply.type(TEXT).header('cache-control', 'no-store');
    return telemetry.registry.text();
  });
}
