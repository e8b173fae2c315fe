import type { LoadedModel } from '../../../src/api/management/memory.ts';
import { Failure } from '../../../src/base/errors.ts';
import { contextField, formatBytes } from '../../output/format.ts';
import {
  attempt,
  did,
  openDialog,
  quote,
  say,
  textAnswer,
  type Act,
  type Deck,
  type Submission,
} from '../deck.ts';
import type { ActionId } from '../keyboard/keymap.ts';
import { selectedRow } from '../screens.ts';
import { nameOf, type ModelRow } from '../screens/models.ts';

const rowOf = (deck: Deck) => selectedRow(deck.store.current(), deck.theme);
const modelRow = (deck: Deck) => rowOf(deck) as ModelRow | undefined;
const loadedRow = (deck: Deck) => rowOf(deck) as LoadedModel | undefined;

async function load(deck: Deck, model: string, pin = false): Promise<void> {
  did(deck, `askd load ${quote(model)}${pin ? ' --pin' : ''}`);
  say(deck, `${model} is being loaded…`);
  const loaded = await deck.client().load({ model, ...(pin && { pin }) });
  say(deck, `${loaded.artifact} is in memory: ${formatBytes(loaded.bytes)} on ${loaded.device ?? 'cpu'}.`);
}

async function stop(deck: Deck, model: string): Promise<void> {
  did(deck, `askd stop ${quote(model)}`);
  const { stopped } = await deck.client().stop(model);
  say(deck, stopped ? `Unloaded ${model}.` : `${model} was not loaded.`);
}

function askForLoad(deck: Deck): void {
  const field = {
    kind: 'text',
    name: 'model',
    label: 'model',
    value: 'svc-chat-v1',
    hint: 'a service model or an artifact',
  } as const;
  openDialog(deck, {
    kind: 'form',
    title: 'Load a model into memory',
    fields: [field],
    focus: 0,
    submit: 'models.load',
  });
}

async function showModel(deck: Deck): Promise<void> {
  const row = modelRow(deck);
  if (row?.kind !== 'here') return;
  const estimate = await deck.client().estimate(row.id);
  const { artifact } = row;
  const text = [
    `${artifact.name} (${artifact.id})`,
    `engine      ${artifact.engine}, tier ${artifact.tier}`,
    `licence     ${artifact.licence}`,
    `weights     ${formatBytes(estimate.weights_bytes)}`,
    ...contextField(estimate).map(([name, value]) => name.padEnd(12) + value),
    `estimated   ${formatBytes(estimate.estimated_bytes)} of a budget of ${formatBytes(estimate.budget_bytes)}`,
    `measured    ${estimate.measured_bytes === null ? 'not loaded yet' : formatBytes(estimate.measured_bytes)}`,
    `fits        ${estimate.fits ? 'yes' : 'no'}`,
    '',
    ...artifact.files.flatMap(({ path, bytes, hash }) => [path, `  ${formatBytes(bytes)}  ${hash}`]),
  ];
  openDialog(deck, { kind: 'pages', title: artifact.id, text, offset: 0 });
}

function askForPull(deck: Deck): void {
  const row = modelRow(deck);
  const value = row?.kind === 'available' ? row.id : '';
  openDialog(deck, {
    kind: 'form',
    title: 'Download a model',
    focus: 0,
    submit: 'models.pull',
    fields: [
      {
        kind: 'text',
        name: 'model',
        label: 'model',
        value,
        hint: 'svc-embed-v1, an artifact, or hf:org/repo:Q4_K_M',
      },
      {
        kind: 'choice',
        name: 'licence',
        label: 'licence',
        value: 'ask',
        choices: ['ask', 'accept'],
        hint: 'accept its terms, if it has any',
      },
    ],
  });
}

function askForBinding(deck: Deck): void {
  const row = modelRow(deck);
  if (row?.kind !== 'here') return say(deck, 'Only an installed model can be bound.', 'bad');
  const services = (deck.store.current().data.models ?? [])
    .filter(({ id }) => id.startsWith('svc-'))
    .map(({ id }) => id);
  const [value] = services;
  if (value === undefined) return;
  const field = { kind: 'choice', name: 'service', label: 'service', value, choices: services } as const;
  openDialog(deck, {
    kind: 'form',
    title: `${row.id} serves`,
    fields: [field],
    focus: 0,
    submit: 'models.bind',
    about: row.id,
  });
}

function askForRemoval(deck: Deck): void {
  const row = modelRow(deck);
  if (row === undefined || row.kind === 'available') return;
  const isPull = row.kind === 'pull';
  openDialog(deck, {
    kind: 'confirm',
    title: isPull ? 'Cancel a download' : 'Remove a model',
    text: isPull
      ? `Cancel the download of ${nameOf(row)} and delete its files?`
      : `Remove ${row.id} and delete the files that askd downloaded?`,
    typed: '',
    submit: isPull ? 'models.cancel' : 'models.remove',
    about: row.id,
  });
}

export const models = {
  'models.show': (deck) => attempt(deck, () => showModel(deck)),
  'models.pull': askForPull,
  'models.bind': askForBinding,
  'models.remove': askForRemoval,
  'models.available': ({ store }) =>
    store.dispatch({ type: 'set', change: { showsAvailable: !store.current().showsAvailable } }),
  'models.load': (deck) =>
    attempt(deck, async () => {
      const row = modelRow(deck);
      if (row?.kind !== 'here') return;
      await (row.isLoaded ? stop(deck, row.id) : load(deck, row.id));
    }),
  'overview.load': askForLoad,
  'overview.stop': (deck) =>
    attempt(deck, async () => {
      const row = loadedRow(deck);
      if (row) await stop(deck, row.artifact);
    }),
  'overview.pin': (deck) =>
    attempt(deck, async () => {
      const row = loadedRow(deck);
      if (row) await load(deck, row.artifact, true);
    }),
} satisfies Partial<Record<ActionId, Act>>;

/** Also used by typed commands. */
export const modelWords = { load, stop };

export const modelSubmissions: Record<string, Submission> = {
  'models.load': async (deck, _about, answers) => {
    void attempt(deck, () => load(deck, textAnswer(answers, 'model')));
    return undefined;
  },
  'models.pull': async (deck, _about, answers) => {
    const model = textAnswer(answers, 'model');
    if (model === '') throw new Failure('missing_required_parameter', 'Name a model.');
    const isAccepted = answers['licence'] === 'accept';
    const answer = await deck.client().startPull({ model, ...(isAccepted && { accept_licence: true }) });
    did(deck, `askd pull ${quote(model)}${isAccepted ? ' --accept-licence' : ''}`);
    say(
      deck,
      answer.pull
        ? `${answer.pull.artifact} is downloading.`
        : `${answer.artifact?.id ?? model} is on this machine.`,
    );
    await deck.loader.refresh('artifacts');
    return undefined;
  },
  'models.bind': async (deck, artifact, answers) => {
    const service = textAnswer(answers, 'service');
    await deck.client().bind({ service, artifact });
    did(deck, `askd bind ${service} ${quote(artifact)}`);
    await deck.loader.refresh('artifacts');
    say(deck, `${service} is served by ${artifact}.`);
    return undefined;
  },
  'models.remove': async (deck, model) => {
    const { freed_bytes: freed } = await deck.client().remove({ model });
    did(deck, `askd rm ${quote(model)}`);
    await deck.loader.refresh('artifacts');
    say(deck, `Removed ${model}, freed ${formatBytes(freed)}.`);
    return undefined;
  },
  'models.cancel': async (deck, id) => {
    const { model } = await deck.client().cancelPull(id);
    did(deck, `askd pull ${quote(model)} --cancel`);
    await deck.loader.refresh('artifacts');
    say(deck, `The download of ${model} is cancelled.`);
    return undefined;
  },
};
