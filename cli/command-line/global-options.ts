/** The heading in help. */
export const GLOBAL = 'Global options:';

export const GLOBAL_OPTIONS = [
  ['--json', 'print one JSON document'],
  ['--plain', 'print tables as tab-separated lines'],
  ['-q, --quiet', 'print no notes'],
  ['--no-color', 'never use colours'],
  ['--no-input', 'never prompt: fail instead'],
  ['--host <url>', 'use the server at this address'],
  ['--key-file <file>', 'read the API key from this file, not ASKD_API_KEY'],
  ['--no-autostart', 'fail when the daemon is not running'],
  ['-v, --verbose', 'show the stack trace of unexpected errors'],
] as const;
