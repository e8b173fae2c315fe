/** The server that a client is configured for. */
export type Server = {
  /** With and without `/v1`. */
  baseUrl: string;
  rootUrl: string;
  key: string;
  model: string;
  contextTokens: number;
};

/** The folders of a client's configuration. */
export type Folders = { home: string; config: string };

/** A configuration file of the client, and its new content. */
export type ConfigFile = {
  path: string;
  /** Receives the current content, undefined if there is none. Throws a Failure if it cannot be changed safely. */
  change: (before: string | undefined) => Promise<string>;
};

/** How to start the client. */
export type Launch = {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The user's environment variables that would point it elsewhere. */
  without?: readonly string[];
  file?: ConfigFile;
};

/** A program that people use with models, each in its own file. */
export type Client = {
  name: string;
  title: string;
  /** Its executable on the PATH. */
  program: string;
  /** The command that installs it, or where to get it. */
  install: string;
  /** The context that its first request takes, with room for an answer. */
  contextTokensMin: number;
  /** Its variable for additional certificate authorities, if it has one. */
  certificates?: string;
  launch(server: Server, folders: Folders): Launch;
};
