import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const Adapter = Type.Object(
  {
    name: Type.String(),
    base: Type.String({ description: 'The model that it was made for.' }),
    model: Type.String({ description: 'The name under which requests choose it: MODEL+NAME.' }),
    path: Type.String(),
    bytes: Type.Integer(),
    scale: Type.Number({ description: 'How strongly it is applied; 1 is as trained.' }),
    is_present: Type.Boolean(),
  },
  { $id: 'Adapter' },
);
export type Adapter = Static<typeof Adapter>;

export const AdapterRequest = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$', maxLength: 60 }),
    path: Type.String({
      minLength: 1,
      description: 'Absolute path of a LoRA adapter in GGUF on this machine.',
    }),
    base: Type.String({ minLength: 1, description: 'The model that it was made for.' }),
    scale: Type.Optional(Type.Number({ minimum: -10, maximum: 10 })),
  },
  { additionalProperties: false },
);
export type AdapterRequest = Static<typeof AdapterRequest>;

const adapters = '/api/daemon/adapters';

export const addAdapter = endpoint({
  method: 'POST',
  path: adapters,
  summary: 'Add a LoRA adapter to a model',
  tag: 'Library',
  access: 'control',
  body: AdapterRequest,
  status: 201,
  response: Adapter,
});

export const listAdapters = endpoint({
  method: 'GET',
  path: adapters,
  summary: 'List the LoRA adapters',
  tag: 'Library',
  access: 'control',
  response: Type.Object({ adapters: Type.Array(Adapter) }),
});

export const removeAdapter = endpoint({
  method: 'DELETE',
  path: `${adapters}/{name}`,
  summary: 'Forget a LoRA adapter; its file stays',
  tag: 'Library',
  access: 'control',
  response: Adapter,
});
