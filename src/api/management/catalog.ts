import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { ExpectedSpeed } from './recommend.ts';

const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

export const CatalogEntry = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    why: Nullable(Type.String({ description: 'Why it is in the catalogue.' })),
    engine: Type.String(),
    tasks: Type.Array(Type.String()),
    tier: Type.String(),
    services: Type.Array(Type.String()),
    licence: Type.String(),
    licence_terms: Nullable(Type.Object({ summary: Type.String(), url: Type.String() })),
    bytes: Type.Integer(),
    context_tokens_max: Type.Integer(),
    memory_bytes: Type.Integer({ description: 'Its weights and one context of up to 8,192 tokens.' }),
    machine_memory_bytes: Type.Integer({
      description: 'The memory of the smallest machine on which a pull may choose it.',
    }),
    fits: Type.Boolean({ description: 'Whether that is within what a pull may choose on this machine.' }),
    expected_tokens_per_second: Nullable(ExpectedSpeed),
    is_installed: Type.Boolean(),
    chosen_for: Type.Array(Type.String(), {
      description: 'The service models for which a pull chooses it on this machine, when no tier is given.',
    }),
    choice_reason: Nullable(
      Type.String({ description: 'Why it is chosen, for the first of these services.' }),
    ),
    obstacle: Type.Optional(Type.String({ description: 'Why this askd cannot run it.' })),
    files: Type.Array(
      Type.Object({
        repo: Type.String(),
        path: Type.String(),
        revision: Nullable(Type.String({ description: 'Null if the newest commit is downloaded.' })),
        bytes: Type.Integer(),
        sha256: Nullable(Type.String({ description: 'Null if only the hub knows it.' })),
      }),
    ),
    is_compared: Type.Boolean({ description: 'Whether the hub itself confirmed any of these facts.' }),
    verified: Type.Record(Type.String(), Type.String(), { description: 'The source of each fact.' }),
  },
  { $id: 'CatalogEntry' },
);
export type CatalogEntry = Static<typeof CatalogEntry>;

export const CatalogSource = Type.Object(
  {
    serial: Type.Integer({ description: 'Increases with each published catalogue.' }),
    issued: Type.String({ description: 'Its date, YYYY-MM-DD.' }),
    signed: Nullable(
      Type.Object(
        { key: Type.String(), expires: Type.String() },
        { description: 'Of a downloaded catalogue; null for the one that came with this askd.' },
      ),
    ),
  },
  { $id: 'CatalogSource' },
);
export type CatalogSource = Static<typeof CatalogSource>;

export const listCatalog = endpoint({
  method: 'GET',
  path: '/api/daemon/catalog',
  summary: 'List the artifacts that askd can download',
  tag: 'Library',
  access: 'control',
  response: Type.Object({
    catalog: Type.Array(CatalogEntry),
    source: CatalogSource,
    problem: Nullable(Type.String({ description: 'Why a catalogue that was downloaded is not used.' })),
    machine: Type.Object({
      memory_bytes: Type.Integer(),
      for_models_bytes: Type.Integer({ description: 'How much of it a model chosen by a pull may use.' }),
    }),
  }),
});

const Ids = Type.Array(Type.String());

export const updateCatalog = endpoint({
  method: 'POST',
  path: '/api/daemon/catalog/update',
  summary: 'Download the published catalogue, and use it if its signature is valid and it is newer',
  tag: 'Library',
  access: 'control',
  response: Type.Object({
    is_current: Type.Boolean({ description: 'Whether the catalogue in use is the published one already.' }),
    before: CatalogSource,
    source: CatalogSource,
    added: Ids,
    changed: Ids,
    removed: Ids,
  }),
});
