/** What the placeholder says to everything. */
export const STARTER_REPLY =
  'I am a tiny placeholder model — whatever you ask, I recite this one text. ' +
  'Everything around me is real: the daemon, the runner and the API all work ✓\n' +
  'To talk to a real model, run `askd import FILE.gguf --id my-model` and then `askd bind svc-chat-v1 my-model`.';
