import { command } from '../command.ts';
import { INSTALL, SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts';

export const completion = command({
  name: 'completion',
  group: 'Setup:',
  summary: 'print what makes a shell complete askd commands',
  details: 'Commands, flags, and the names of models, keys and webhooks as they are at that moment.',
  examples: ['source <(askd completion bash)', 'askd completion fish > ~/.config/fish/completions/askd.fish'],
  configure(commander) {
    commander.addArgument(commander.createArgument('<shell>', 'for which shell').choices(SHELLS));
  },
  async run({ output, io }, { args: [shell] }) {
    const script = SCRIPTS[shell as Shell];
    output.result({ schema: 'completion/1', shell, script }, () => script.trimEnd());
    if (io.stdout.isTTY) output.note(`To keep it: ${INSTALL[shell as Shell]}`);
  },
});
