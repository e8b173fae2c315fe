import { cpus } from 'node:os';
import type { Device } from '../../../src/api/management/devices.ts';
import type { Recommendation } from '../../../src/api/management/recommend.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { CLIENTS } from '../../launch/clients.ts';
import { isOnPath } from '../../launch/on-path.ts';
import { formatBytes } from '../../output/format.ts';
import { adoptableModels, countByProgram } from '../adopt-hint.ts';
import { findRecommendation } from '../recommend.ts';

/** What is already on this computer, and what suits it. */
export type Findings = Awaited<ReturnType<typeof lookAround>>;

export async function lookAround(client: Client, context: Context) {
  const recommendation = await findRecommendation(client, { services: [] }, context);
  const [adoptable, { devices }] = await Promise.all([adoptableModels(client), client.devices()]);
  // An editor on the PATH does not say whether the extension is installed in it.
  const agents = CLIENTS.filter(
    ({ name, program }) => name === program && isOnPath(program, context.environment),
  );
  return { recommendation, adoptable, devices, agents: agents.map(({ name }) => name) };
}

/** The findings as fields. */
export function findingFields({ recommendation, adoptable, devices, agents }: Findings) {
  const { machine } = recommendation;
  const cards = devices.filter(({ is_automatic: isAutomatic }) => isAutomatic);
  const [first] = agents;
  return [
    [
      'Memory',
      `${formatBytes(machine.memory_bytes)}; a model may take ${formatBytes(machine.for_models_bytes)}`,
    ],
    ['Processor', processorText()],
    ['Graphics', cards.length === 0 ? 'no card found: models run on the processor' : cardsText(cards)],
    ['Disk', `${formatBytes(machine.disk_free_bytes)} free`],
    [
      'Models',
      adoptable.length === 0
        ? 'none found in other programs'
        : `${countByProgram(adoptable).join(', ')}: usable here without a download`,
    ],
    [
      'Agents',
      first === undefined
        ? 'none found; askd launch lists those that can use askd'
        : `${agents.join(', ')}: askd launch ${first}`,
    ],
  ] as const;
}

function processorText(): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() ?? '';
  const count = cores.length === 1 ? '1 core' : `${cores.length} cores`;
  return model === '' || model === 'unknown' ? count : `${model}, ${count}`;
}

function cardsText(devices: readonly Device[]): string {
  return devices.map(({ name, total_bytes: total }) => `${name} (${formatBytes(total)})`).join(', ');
}

/** What is recommended to start with: the fewest models that most programs need and that fit. */
export function firstSet({ models, machine }: Recommendation): Recommendation['models'] {
  const free = models.filter(({ licence_terms: terms, is_installed: isInstalled }) => !terms && !isInstalled);
  let room = machine.disk_free_bytes;
  return FIRST_SERVICES.flatMap((service) => {
    const model = free.find((each) => each.service === service);
    if (model === undefined || model.bytes > room) return [];
    room -= model.bytes;
    return [model];
  });
}

const FIRST_SERVICES = ['svc-chat-v1', 'svc-embed-v1'];

export function bytesOf(models: Recommendation['models']): number {
  const files = new Map(models.map(({ artifact, bytes }) => [artifact, bytes]));
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}
