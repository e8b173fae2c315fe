import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';

const tag = 'Daemon';
const access = 'management' as const;

export const Setting = Type.Object(
  {
    name: Type.String({ description: 'As in the file.' }),
    topic: Type.String(),
    summary: Type.String({ description: 'What it does.' }),
    expects: Type.String({ description: 'What it may be.' }),
    value: Type.Unknown({ description: 'As the next start reads it. Null for a secret.' }),
    default: Type.Unknown(),
    source: Type.Enum(['default', 'file', 'keyring', 'secrets', 'environment', 'flag'], {
      description:
        'Where the value comes from; `secrets` is a file that only the owner can read. The configuration file ' +
        'has no effect below the others.',
    }),
    variable: Type.Optional(
      Type.String({ description: 'The variable that sets it, if the environment does.' }),
    ),
    is_secret: Type.Boolean(),
    is_set: Type.Boolean({ description: 'Whether it has a value of its own.' }),
    is_list: Type.Boolean(),
    needs_restart: Type.Boolean({
      description:
        'Whether the running daemon has another value; for a secret, whether one was set or forgotten since it ' +
        'started.',
    }),
    guarded: Type.Optional(
      Type.String({
        description:
          'Why only the command line may change it, and not a browser; nobody can change a secret over HTTP.',
      }),
    ),
  },
  { $id: 'Setting' },
);
export type Setting = Static<typeof Setting>;

export const SettingsList = Type.Object({
  file: Type.String({ description: 'The configuration file.' }),
  restart: Type.String({ description: 'The command that makes changes effective.' }),
  settings: Type.Array(Setting),
});
export type SettingsList = Static<typeof SettingsList>;

export const listSettings = endpoint({
  method: 'GET',
  path: '/api/settings',
  summary: 'List every setting with its value, source and default, without secrets',
  tag,
  access,
  response: SettingsList,
});

export const putSetting = endpoint({
  method: 'PUT',
  path: '/api/settings/{name}',
  summary: 'Change a setting in the configuration file; a restart makes it effective',
  tag,
  access,
  body: Type.Object(
    {
      value: Type.String({
        maxLength: 65_536,
        description: 'As for `askd config set`: text or JSON.',
      }),
    },
    { additionalProperties: false },
  ),
  response: Setting,
});

export const resetSetting = endpoint({
  method: 'DELETE',
  path: '/api/settings/{name}',
  summary: 'Remove a setting from the configuration file; a restart makes it effective',
  tag,
  access,
  response: Setting,
});
