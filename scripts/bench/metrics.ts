import { systemClock } from '../../src/base/clock.ts';
import type { Stage } from '../../src/inference/metered.ts';
import { createTelemetry } from '../../daemon/telemetry/telemetry.ts';
import { createTracer } from '../../daemon/telemetry/tracing/tracer.ts';
import { reportLines, type Figure } from './accounts/report.ts';

/** What recording costs per request, and a scrape of many series. Tokens cost nothing, since recording is by stage. */
const REQUESTS = 5_000;
const ROUNDS = 20;
const MODELS = 20;
const STAGES: readonly Stage[] = ['authenticated', 'loaded', 'admitted', 'started', 'first_output', 'ended'];
const REQUEST_MS_MAX = 0.05;
const TRACED_MS_MAX = 0.1;
const SCRAPE_MS_MAX = 25;

let spans = 0;
const tracer = createTracer({ push: (some) => void (spans += some.length) });
const alone = createTelemetry({ clock: systemClock, tracer: undefined });
const traced = createTelemetry({ clock: systemClock, tracer });

type Recorded = ReturnType<typeof createTelemetry>;

function record(telemetry: Recorded, number: number): void {
  const requestId = `req_${number}`;
  const artifact = `model-${number % MODELS}`;
  telemetry.begin(requestId, undefined);
  telemetry.served(requestId, { artifact, device: 'cpu' });
  for (const stage of STAGES) telemetry.mark(requestId, stage);
  telemetry.settled({
    ...{ requestId, artifact, task: 'chat', outcome: 'finished', finishReason: 'stop' },
    ...{ promptTokens: 100, cachedTokens: 50, completionTokens: 200, durationMs: 1000, costN: 300 },
  });
  telemetry.end(requestId, { route: '/v1/chat/completions', method: 'POST', status: 200, code: undefined });
}

/** The fastest of several rounds: other load on the machine only adds time. */
function msEach(count: number, work: (number: number) => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    for (let number = 0; number < count; number++) work(number);
    return (performance.now() - startedAt) / count;
  });
  return Math.min(...rounds);
}

const figures: Figure[] = [
  {
    label: 'recording a request: ten metrics and six stages',
    unit: 'ms',
    value: msEach(REQUESTS, (number) => record(alone, number)),
    goal: { atMost: REQUEST_MS_MAX },
  },
  {
    label: 'the same with its spans',
    unit: 'ms',
    value: msEach(REQUESTS, (number) => record(traced, number)),
    goal: { atMost: TRACED_MS_MAX },
  },
  {
    label: `a scrape, ${alone.registry.text().split('\n').length} lines`,
    unit: 'ms',
    value: msEach(10, () => void alone.registry.text()),
    goal: { atMost: SCRAPE_MS_MAX },
  },
];
console.log(reportLines(figures).join('\n'));
console.log(`of a request: ${((figures[0]?.value ?? 0) * 1000).toFixed(1)} µs; ${spans} spans were made`);
