import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { INSTALL, SCRIPTS, SHELLS, type Shell } from '../../completion/scripts.ts';
import type { Context } from '../../context.ts';

type CompletionOptions = { install?: true; uninstall?: true };

export const completion = command<CompletionOptions>({
  name: 'completion',
  group: 'Setup:',
  summary: 'print or install a shell completion script',
  details:
    'Completes commands, flags and the current names of models, keys and webhooks. --install adds it to the file that ' +
    'your shell reads, between two marker lines; running it again replaces it.',
  examples: [
    'source <(askd completion bash)',
    'askd completion --install',
    'askd completion zsh --uninstall',
    'askd completion fish > ~/.config/fish/completions/askd.fish',
  ],
  configure(commander) {
    commander
      .addArgument(commander.createArgument('[shell]', 'shell; optional with --install').choices(SHELLS))
      .addOption(commander.createOption('--install', 'install it for new shells').conflicts('uninstall'))
      .option('--uninstall', 'remove it again');
  },
  async run(context, { args: [shell], options }) {
    if (options.install || options.uninstall) return change(context, shell as Shell | undefined, options);
    if (shell === undefined)
      throw new Failure('missing_required_parameter', `Name a shell: ${SHELLS.join(', ')}.`, {
        details: { fix: 'askd completion --install' },
      });
    const { output, io } = context;
    const script = SCRIPTS[shell as Shell];
    output.result({ schema: 'completion/1', shell, script }, () => script.trimEnd());
    if (io.stdout.isTTY) output.note(`To install it: ${INSTALL} ${shell}`);
  },
});

async function change(
  { environment, output }: Context,
  wanted: Shell | undefined,
  { install }: CompletionOptions,
) {
  const { currentShell, installCompletion, uninstallCompletion } =
    await import('../../completion/install.ts');
  const shell = wanted ?? currentShell(environment.env);
  const { file, hasChanged } = (install ? installCompletion : uninstallCompletion)(shell, environment.env);
  const done = install ? `installed in ${file}.` : `removed from ${file}.`;
  const nothing = install ? `already installed in ${file}.` : `not installed in ${file}.`;
  output.result(
    { schema: 'completion-change/1', shell, file, installed: install === true, changed: hasChanged },
    () => `Completion for ${shell}: ${hasChanged ? done : nothing}`,
  );
  if (hasChanged) output.note('It takes effect in new shells.');
}
