/** Environment variables. */
export const ENVIRONMENT = [
  ['ASKD_HOME', 'folder with the database, the models and the logs'],
  ['ASKD_HOST', 'address that the daemon listens on (default: 127.0.0.1)'],
  ['ASKD_PORT', 'port that the daemon listens on (default: 11535)'],
  ['ASKD_BASE_URL', 'server for askd models and every command that runs a model'],
  ['ASKD_API_KEY', 'API key that these commands send'],
  ['ASKD_PROFILE', 'personal or hosted, for a new home'],
  ['ASKD_OFFLINE', 'never use the network for models'],
  ['ASKD_SETTING', 'any setting of askd config list: ASKD_KEEP_ALIVE=2h'],
  ['HF_HOME', 'where models are kept, shared with other programs'],
  ['HF_TOKEN', 'your token for the model hub'],
  ['HF_ENDPOINT', 'URL of another model hub'],
  ['NO_COLOR', 'never use colours'],
  ['FORCE_HYPERLINK', '1 or 0: whether answers of askd agent have links'],
  ['INK_SCREEN_READER', 'true: askd tui --screen-reader'],
  ['VISUAL, EDITOR', 'editor for askd config edit and Ctrl-G in askd chat'],
] as const;

/** Relative to the home, whose path askd config path prints. */
export const FILES = [
  ['config.json', 'the settings: askd config'],
  ['askd.db', 'keys, wallet, webhooks and all else that the daemon stores'],
  ['models/', 'pulled and imported models'],
  ['logs/askd.log', 'what askd logs shows'],
  ['chat-history', 'input history of askd chat'],
  ['chats/', 'conversations of earlier versions, not imported yet'],
  ['root-token', 'owner token of the command line'],
] as const;
