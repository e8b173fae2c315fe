import type { ExpectedSpeed, Recommendation, RecommendedModel } from '../../src/api/management/recommend.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Client } from '../client/client.ts';
import type { Context } from '../context.ts';
import { formatBytes, formatCount } from '../output/format.ts';
import type { Output } from '../output/output.ts';
import { renderTable, type Column } from '../output/table.ts';
import { checkNew } from './check-model.ts';
import { followPull } from './pull/follow.ts';
import { startPull } from './pull/start-pull.ts';

type Wanted = { services: readonly string[]; measure?: boolean | undefined };

export async function findRecommendation(
  client: Client,
  { services, measure }: Wanted,
  { output }: Pick<Context, 'output'>,
): Promise<Recommendation> {
  const named = services.length > 0 && { services: [...services] };
  if (measure === false) return client.recommend({ ...named, measure: 'never' });
  if (measure === true) {
    output.note(MEASURING);
    return client.recommend({ ...named, measure: 'again' });
  }
  const known = await client.recommend({ ...named, measure: 'never' });
  if (known.machine.speed?.is_calm) return known;
  output.note(MEASURING);
  return client.recommend({ ...named });
}

const MEASURING = 'Measuring how fast this machine generates: about ten seconds …';

type Shown = { services: readonly string[]; isPulling: boolean };

export function recommendationText(
  found: Recommendation,
  { services, isPulling }: Shown,
  output: Output,
): string {
  const { machine, models, download_bytes: bytes } = found;
  const table = renderTable(models, columnsOf(models), output);
  const notes = [
    ...(models.some(({ licence_terms: terms }) => terms)
      ? ['* you must accept the terms of this licence: askd pull shows them']
      : []),
    ...(machine.speed?.is_calm === false
      ? [
          'Other programs were busy while this machine was measured, so its speed was ignored: askd recommend ' +
            'measures again.',
        ]
      : []),
    ...(machine.speed
      ? [`Speed: tokens per second of one request, ${basisOf(machine.speed, models)}.`]
      : ['The speed of this machine was not measured: askd recommend']),
    `${formatBytes(bytes)} to download, ${formatBytes(machine.disk_free_bytes)} free on the disk.`,
  ];
  const next = ['askd recommend', ...services, '--pull'].join(' ');
  if (bytes === 0) notes.push('All of them are on this machine.');
  else if (!found.fits_on_disk) notes.push('That is more than is free: name the services that you need.');
  else if (!isPulling) notes.push(`To download and use them: ${next}`);
  return `${table}\n\n${machineText(machine)}\n${notes.join('\n')}`;
}

function machineText({ memory_bytes: memory, for_models_bytes: budget, speed }: Recommendation['machine']) {
  const device = speed ? `, runs models on ${speed.device}` : '';
  return `This machine has ${formatBytes(memory)} of memory${device}; a model may take ${formatBytes(budget)}.`;
}

function basisOf(
  speed: NonNullable<Recommendation['machine']['speed']>,
  models: readonly RecommendedModel[],
): string {
  const day = speed.measured_at.slice(0, 10);
  const basis = `expected from a measurement on ${day}`;
  return models.some(isMeasured) ? `${basis}, or measured by askd check where it is one number` : basis;
}

const isMeasured = ({ measured_tokens_per_second: measured }: RecommendedModel) => measured !== null;

function columnsOf(models: readonly RecommendedModel[]): Column<RecommendedModel>[] {
  const first = new Set(models.filter(isFirst));
  return [
    { title: 'SERVICE', value: ({ service }) => service },
    { title: 'MODEL', value: ({ artifact }) => artifact, shrinks: 'middle' },
    { title: 'DOWNLOAD', value: (model) => downloadOf(model, first.has(model)), align: 'right' },
    { title: 'MEMORY', value: ({ memory_bytes: memory }) => formatBytes(memory), align: 'right' },
    { title: 'TOKENS/S', value: speedOf, align: 'right' },
    { title: 'LICENCE', value: ({ licence, licence_terms: terms }) => `${licence}${terms ? '*' : ''}` },
  ];
}

function isFirst({ artifact }: RecommendedModel, index: number, all: readonly RecommendedModel[]): boolean {
  return all.findIndex((each) => each.artifact === artifact) === index;
}

function downloadOf(
  { is_installed: isInstalled, is_bound: isBound, bytes }: RecommendedModel,
  isFirst: boolean,
) {
  if (isInstalled) return isBound ? 'in use' : 'installed';
  return isFirst ? formatBytes(bytes) : 'the same';
}

function speedOf(model: RecommendedModel): string {
  const { measured_tokens_per_second: measured, expected_tokens_per_second: expected } = model;
  if (measured !== null) return rate(measured);
  return expected ? rangeText(expected) : '-';
}

/** `9 to 16`. */
export function rangeText({ from, to }: ExpectedSpeed): string {
  const [least, most] = [rate(from), rate(to)];
  return least === most ? least : `${least} to ${most}`;
}

function rate(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

type PullOptions = { acceptLicence?: true; yes?: true; check: boolean };
export type Pulled = { pulled: string[]; skipped: { service: string; reason: string }[] };

/** One after another. Models whose licence must be accepted are left out and named if nobody can be asked. */
export async function pullRecommended(
  client: Client,
  { models, download_bytes: bytes, fits_on_disk: fits }: Recommendation,
  options: PullOptions,
  context: Context,
): Promise<Pulled> {
  const { output, io, signal } = context;
  const wanted = models.filter(({ is_bound: isBound }) => !isBound);
  const done: Pulled = { pulled: [], skipped: [] };
  if (wanted.length === 0) return done;
  if (!fits) {
    throw new Failure('disk_full', `${formatBytes(bytes)} do not fit on the disk.`, {
      details: { fix: 'askd recommend svc-chat-v1 --pull' },
    });
  }
  if (bytes > 0 && !options.yes) {
    const { confirm } = await import('../prompt/confirm.ts');
    if (!(await confirm(`Download ${formatBytes(bytes)}?`, io, signal))) return done;
  }
  for (const model of wanted) {
    const reason = await pullOne(client, model, options, context);
    if (reason === undefined) {
      if (!done.pulled.includes(model.artifact)) done.pulled.push(model.artifact);
    } else {
      done.skipped.push({ service: model.service, reason });
      output.talk(`${model.service} was left out: ${reason}`);
    }
  }
  if (done.skipped.length > 0) {
    output.talk(`${formatCount(done.skipped.length, 'service')} left out, see above.`);
  }
  return done;
}

/** Why it was left out; undefined if the model is here and serves. */
async function pullOne(
  client: Client,
  { service, artifact, bytes, licence }: RecommendedModel,
  { acceptLicence, check }: PullOptions,
  context: Context,
): Promise<string | undefined> {
  const { output } = context;
  try {
    output.note(`${service}: ${artifact}, ${formatBytes(bytes)}, licence ${licence}`);
    const request = { model: artifact, ...(acceptLicence && { accept_licence: true }) };
    const { pull } = await startPull(client, request, context);
    // stdout is reserved for the result.
    const quiet = { ...context, output: { ...output, json: false } };
    if (pull) {
      await followPull(client, pull, quiet);
      if (check) await checkNew(client, artifact, quiet);
    }
    await client.bind({ service, artifact });
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'licence_not_accepted') throw error;
    return `its licence has terms to accept: askd pull ${service} --accept-licence`;
  }
}
