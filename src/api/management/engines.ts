import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const EngineInfo = Type.Object(
  {
    name: Type.String(),
    purpose: Type.String(),
    version: Type.String(),
    state: Type.Enum(['installed', 'in_repository', 'not_installed', 'unsupported'], {
      description:
        '`in_repository`: this askd runs from a clone, which has the engine as a development dependency.',
    }),
    bytes: Type.Integer({ description: 'The size of the download.' }),
    path: Type.Union([Type.String(), Type.Null()]),
    gpus: Type.Array(
      Type.Object({ name: Type.String(), is_installed: Type.Boolean() }, { additionalProperties: false }),
      { description: 'GPU backends that it has a build for on this platform.' },
    ),
  },
  { $id: 'EngineInfo' },
);
export type EngineInfo = Static<typeof EngineInfo>;

export const EngineRequest = Type.Object(
  { gpu: Type.Optional(Type.Enum(['vulkan', 'cuda'])) },
  { additionalProperties: false },
);
export type EngineRequest = Static<typeof EngineRequest>;

/** Progress events, and finally the engine. */
export const EngineInstallation = Type.Object(
  {
    state: Type.Enum(['installing', 'done']),
    package: Type.Union([Type.String(), Type.Null()]),
    packages_done: Type.Integer(),
    packages_total: Type.Integer(),
    bytes_received: Type.Integer(),
    bytes_total: Type.Integer(),
    engine: EngineInfo,
  },
  { $id: 'EngineInstallation' },
);
export type EngineInstallation = Static<typeof EngineInstallation>;

const engines = '/api/daemon/engines';

export const listEngines = endpoint({
  method: 'GET',
  path: engines,
  summary: 'List the optional engines, and which are installed',
  tag: 'Engines',
  access: 'control',
  response: Type.Object({ engines: Type.Array(EngineInfo) }),
});

export const installEngine = endpoint({
  method: 'POST',
  path: `${engines}/{name}`,
  summary:
    'Install an optional engine, verifying each package; disconnecting stops it, and asking again resumes it',
  tag: 'Engines',
  access: 'control',
  body: EngineRequest,
  response: EngineInstallation,
  event: EngineInstallation,
});

export const removeEngine = endpoint({
  method: 'DELETE',
  path: `${engines}/{name}`,
  summary: 'Unload the models of an optional engine and delete it from the home',
  tag: 'Engines',
  access: 'control',
  response: EngineInfo,
});
