import { EXIT_CODES } from './exit-codes.ts';
import { renderFields } from './table.ts';

const ENVIRONMENT = [
  ['ASKD_HOME', 'folder with the database, the models and the logs'],
  ['ASKD_HOST', 'address that the daemon listens on (default: 127.0.0.1)'],
  ['ASKD_PORT', 'port that the daemon listens on (default: 11535)'],
  ['ASKD_BASE_URL', 'server that askd chat and askd models talk to'],
  ['ASKD_API_KEY', 'key that askd chat and askd models send'],
  ['ASKD_OFFLINE', 'never use the network for models'],
  ['HF_HOME', 'where models are kept, shared with other programs'],
  ['HF_TOKEN', 'who you are at the model hub'],
  ['HF_ENDPOINT', 'another model hub'],
  ['NO_COLOR', 'never use colours'],
] as const;

/** Pages of `askd help` that are no command. */
export const HELP_TOPICS: Readonly<Record<string, () => string>> = {
  'exit-codes': () => renderFields(Object.entries(EXIT_CODES)),
  environment: () => renderFields(ENVIRONMENT),
};
