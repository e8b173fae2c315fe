import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

export const Device = Type.Object(
  {
    index: Type.Integer({ description: 'Its number, as `devices` of a placement takes it.' }),
    name: Type.String(),
    backend: Type.Enum(['cuda', 'vulkan', 'metal']),
    total_bytes: Type.Integer(),
    free_bytes: Type.Integer({ description: 'Now, with the models that are on it.' }),
    is_shared: Type.Boolean({ description: 'It has no memory of its own but uses that of the machine.' }),
    is_automatic: Type.Boolean({
      description: 'Whether the engine uses it by default; others must be named.',
    }),
  },
  { $id: 'Device' },
);
export type Device = Static<typeof Device>;

export const listDevices = endpoint({
  method: 'GET',
  path: '/api/daemon/devices',
  summary: 'List the graphics cards that models can be placed on',
  tag: 'Daemon',
  access: 'control',
  response: Type.Object({ devices: Type.Array(Device) }),
});

const AUTO = Type.Literal('auto');

export const PlaceRequest = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    devices: Type.Optional(
      Type.Union([AUTO, Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 16 })], {
        description: 'Each by its index or part of its name; the first device gets the first layers.',
      }),
    ),
    gpu_layers: Type.Optional(
      Type.Union([AUTO, Type.Integer({ minimum: 0 })], {
        description: 'Layers on the devices, the output layer included: 0 uses none, `auto` as many as fit.',
      }),
    ),
    split: Type.Optional(
      Type.String({ description: 'Only `memory`: by the free memory of each device, as the engine does.' }),
    ),
    draft: Type.Optional(
      Type.Enum(['auto', 'cpu'], { description: 'Whether the draft model is kept off the devices.' }),
    ),
    projector: Type.Optional(
      Type.Enum(['auto', 'cpu'], {
        description: 'Whether the projector, which reads images, is kept off the devices.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type PlaceRequest = Static<typeof PlaceRequest>;

export const Placement = Type.Object(
  {
    model: Type.String(),
    devices: Nullable(Type.Array(Type.Object({ backend: Type.String(), name: Type.String() }))),
    gpu_layers: Nullable(Type.Integer()),
    layers: Nullable(Type.Integer({ description: 'All of its layers, including the output layer.' })),
    draft: Nullable(Type.Enum(['cpu'])),
    projector: Nullable(Type.Enum(['cpu'])),
    is_loaded: Type.Boolean({
      description: 'It is still in memory where it was; the next request loads it again.',
    }),
  },
  { $id: 'Placement' },
);
export type Placement = Static<typeof Placement>;

export const placeModel = endpoint({
  method: 'POST',
  path: '/api/daemon/place',
  summary: 'Choose the devices of a model, or show them',
  tag: 'Daemon',
  access: 'control',
  body: PlaceRequest,
  response: Placement,
});
