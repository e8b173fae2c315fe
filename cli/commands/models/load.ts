import type { Estimate, LoadedModel, LoadRequest } from '../../../src/api/management/memory.ts';
import { parseDuration } from '../../../src/base/units.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import { command } from '../../command.ts';
import { contextField, formatBytes, formatDuration, formatTokens } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { renderFields } from '../../output/table.ts';

type LoadOptions = { ttl?: string; pin?: true; estimate?: true };

export const load = command<LoadOptions>({
  name: 'load',
  group: 'Models:',
  summary: 'load a model into memory before it is needed',
  details:
    'By default, it is unloaded after it has been idle for keep_alive (10 minutes). ' +
    'A pinned model stays until askd stop, even if other models need the memory.',
  examples: [
    'askd load svc-chat-v1',
    'askd load my-model --ttl 2h',
    'askd load my-model --pin',
    'askd load my-model --estimate',
  ],
  configure(commander) {
    commander
      .argument('<model>', 'id of a service model or of an artifact')
      .option('--ttl <time>', 'how long to keep it when idle: 30s, 10m, 1h30m, 0 or forever')
      .option('--pin', 'keep it until askd stop')
      .option('--estimate', 'only estimate how much memory it needs');
  },
  async run({ connect, output }, { args: [model = ''], options }) {
    checkOptions(options);
    const client = await connect();
    if (options.estimate) return showEstimate(await client.estimate(model), output);
    const { ttl, pin } = options;
    const request = { model, ...(pin && { pin }), ...(ttl !== undefined && { keep_alive: ttl }) };
    const loaded = await untilLoaded(client, request, output);
    output.result({ schema: 'load/1', ...loaded }, () => loadedText(loaded));
  },
});

function checkOptions({ ttl, pin, estimate }: LoadOptions): void {
  if (pin && ttl !== undefined) throw new Failure('invalid_value', 'Give either --ttl or --pin, not both.');
  if (estimate && (pin || ttl !== undefined))
    throw new Failure('invalid_value', '--estimate loads nothing, so --ttl and --pin do not apply.');
  if (ttl !== undefined && parseDuration(ttl) === undefined)
    throw new Failure(
      'invalid_value',
      `--ttl takes 30s, 10m, 1h30m, 0 or forever, not ${JSON.stringify(ttl)}.`,
    );
}

/** A daemon limits how long a request waits for a model; an explicit load has no limit. */
async function untilLoaded(client: Client, request: LoadRequest, output: Output): Promise<LoadedModel> {
  for (;;) {
    try {
      return await client.load(request);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'model_loading') throw error;
      output.note(error.message);
    }
  }
}

function loadedText({
  artifact,
  bytes,
  device,
  context_tokens: context,
  context_reason: reason,
  pinned,
  ...model
}: LoadedModel): string {
  const until = model.expires_at === null ? undefined : Date.parse(model.expires_at) - Date.now();
  const stays = pinned
    ? 'It stays until askd stop'
    : until === undefined
      ? 'It stays in memory'
      : `It is unloaded after ${formatDuration(until)} without use`;
  const why = reason === null ? '' : ` (${reason})`;
  const size = context === null ? '' : `, ${formatTokens(context)} of context${why}`;
  const where = `${formatBytes(bytes)} on ${device ?? 'cpu'}${size}`;
  const note = model.fallback === null ? [] : [`It runs on the CPU: ${model.fallback}.`];
  return [`${artifact} is in memory: ${where}. ${stays}.`, ...note].join('\n');
}

function showEstimate(estimate: Estimate, output: Output): void {
  const { artifact, measured_bytes: measured } = estimate;
  output.result({ schema: 'estimate/1', ...estimate }, () =>
    renderFields([
      ['artifact', artifact],
      ['weights', formatBytes(estimate.weights_bytes)],
      ...contextField(estimate),
      ['runner', formatBytes(estimate.overhead_bytes)],
      ['estimated', formatBytes(estimate.estimated_bytes)],
      ['measured', measured === null ? 'not loaded yet' : formatBytes(measured)],
      ['budget', formatBytes(estimate.budget_bytes)],
      ['fits', estimate.fits ? 'yes' : 'no'],
    ]),
  );
}
