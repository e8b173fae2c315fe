import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { INSTALL, SCRIPTS, SHELLS, type Shell } from '../../completion/scripts.ts';
import type { Context } from '../../context.ts';

type CompletionOptions = { install?: true; uninstall?: true };

export const completion = command<CompletionOptions>({
  name: 'completion',
  group: 'Setup:',
  summary: 'print what makes a shell complete askd commands',
  details:
    'Commands, flags, and the names of models, keys and webhooks as they are at that moment. --install writes it to ' +
    'where the shell looks, between two lines that mark it; a later one replaces it.',
  examples: [
    'source <(askd completion bash)',
    'askd completion --install',
    'askd completion zsh --uninstall',
    'askd completion fish > ~/.config/fish/completions/askd.fish',
  ],
  configure(commander) {
    commander
      .addArgument(
        commander.createArgument('[shell]', 'for which shell; with --install also without').choices(SHELLS),
      )
      .addOption(commander.createOption('--install', 'keep it for every new shell').conflicts('uninstall'))
      .option('--uninstall', 'take it out again');
  },
  async run(context, { args: [shell], options }) {
    if (options.install || options.uninstall) return change(context, shell as Shell | undefined, options);
    if (shell === undefined)
      throw new Failure('missing_required_parameter', `For which shell? ${SHELLS.join(', ')}.`, {
        details: { fix: 'askd completion --install' },
      });
    const { output, io } = context;
    const script = SCRIPTS[shell as Shell];
    output.result({ schema: 'completion/1', shell, script }, () => script.trimEnd());
    if (io.stdout.isTTY) output.note(`To keep it: ${INSTALL} ${shell}`);
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
  const done = install ? `${file} has it now.` : `It is taken out of ${file}.`;
  const nothing = install ? `${file} had it already.` : `It was not in ${file}.`;
  output.result(
    { schema: 'completion-change/1', shell, file, installed: install === true, changed: hasChanged },
    () => `Completion for ${shell}: ${hasChanged ? done : nothing}`,
  );
  if (hasChanged) output.note('It counts in every shell that starts from now on.');
}
