import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { Artifact, ArtifactId } from './daemon.ts';

const PROGRAMS = ['ollama', 'lm-studio', 'llama.cpp', 'jan', 'gpt4all', 'hub'] as const;

export const FoundModel = Type.Object(
  {
    id: Type.String({ description: 'The id that it has or would get here.' }),
    program: Type.Enum([...PROGRAMS]),
    name: Type.String({ description: 'Its name in that program.' }),
    path: Type.String(),
    bytes: Type.Integer(),
    architecture: Type.String(),
    size_label: Type.String({ description: 'The parameter count as its authors state it.' }),
    quantization: Type.String(),
    context_tokens_max: Type.Integer(),
    memory_bytes: Type.Integer({ description: 'Its weights and its context as askd would load it.' }),
    template: Type.String({
      description: 'The family of its chat template; `own` for another one, `general` where it has none.',
    }),
    has_projector: Type.Boolean(),
    services: Type.Array(Type.String(), { description: 'The service models that it can serve.' }),
    defaults: Type.Array(Type.String(), {
      description: 'Defaults for requests that do not set these values.',
    }),
    unmet: Type.Array(Type.String(), {
      description: 'Parts of its definition that have no effect here, and why.',
    }),
    is_adopted: Type.Boolean(),
    obstacle: Type.Optional(Type.String({ description: 'Why askd cannot run it, or not yet.' })),
    can_be_adopted: Type.Boolean(),
  },
  { $id: 'FoundModel' },
);
export type FoundModel = Static<typeof FoundModel>;

export const AdoptRequest = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, description: 'Its id or its name; all when absent.' })),
    program: Type.Optional(Type.Enum([...PROGRAMS])),
    id: Type.Optional(ArtifactId),
  },
  { additionalProperties: false },
);
export type AdoptRequest = Static<typeof AdoptRequest>;

export const listAdoptable = endpoint({
  method: 'GET',
  path: '/api/daemon/adoptable',
  summary: 'List the models that other programs of this machine have',
  tag: 'Library',
  access: 'control',
  response: Type.Object({
    models: Type.Array(FoundModel),
    unreadable: Type.Array(
      Type.String({ description: 'A program whose folder could not be read, and why.' }),
    ),
  }),
});

export const adoptModels = endpoint({
  method: 'POST',
  path: '/api/daemon/adopt',
  summary: 'Use models of other programs where they are',
  tag: 'Library',
  access: 'control',
  body: AdoptRequest,
  response: Type.Object({ adopted: Type.Array(Artifact), left: Type.Array(FoundModel) }),
});
