/** What a client is to be pointed at. */
export type Server = {
  /** With `/v1`, and without. */
  baseUrl: string;
  rootUrl: string;
  key: string;
  model: string;
  contextTokens: number;
};

/** Where a client looks for its files. */
export type Folders = { home: string; config: string };

/** A file of the client's own, and what it becomes. */
export type ConfigFile = {
  path: string;
  /** From what it holds now, undefined where there is none. Throws a Failure where it cannot be changed safely. */
  change: (before: string | undefined) => Promise<string>;
};

/** How the client is started. */
export type Launch = {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Variables of the user that would point it elsewhere. */
  without?: readonly string[];
  file?: ConfigFile;
};

/** A program that people use with models: one file each. */
export type Client = {
  name: string;
  title: string;
  /** As it is found on the PATH. */
  program: string;
  /** The command that installs it, or where to get it. */
  install: string;
  /** What its first request takes, with room for an answer. */
  contextTokensMin: number;
  /** The variable that names a file of further certificates to trust, where it reads one. */
  certificates?: string;
  launch(server: Server, folders: Folders): Launch;
};
