import { Failure } from '../../../src/base/errors.ts';
import { didYouMean } from '../../../src/base/did-you-mean.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { CLIENTS } from '../../launch/clients.ts';
import type { LaunchOptions } from '../../launch/launch.ts';
import { renderTable } from '../../output/table.ts';

export const launch = command<LaunchOptions>({
  name: 'launch',
  group: 'Setup:',
  summary: 'start a coding agent or editor with local models',
  details:
    'Creates an API key for the client, checks that the model supports tools and has enough context, then configures and ' +
    'starts the client. Claude Code, Codex, opencode and Aider get environment variables and arguments; for Continue and ' +
    'Zed the configuration file is changed, after showing the change. Arguments after -- go to the client.',
  examples: [
    'askd launch claude',
    'askd launch codex --model my-model',
    'askd launch claude -- -p "What does this project do?"',
    'askd launch opencode --print',
    'askd launch zed --restore',
  ],
  configure(commander) {
    commander
      .argument('[client]', CLIENTS.map(({ name }) => name).join(', '))
      .argument('[arguments...]', 'arguments for the client, after --')
      .option('-m, --model <model>', 'model to use (default: svc-code-v1, else svc-chat-v1)')
      .option('--print', 'print what would be set and run, and do nothing')
      .option('-y, --yes', 'change its configuration file without asking')
      .option('--restore', 'restore its configuration file')
      .option('--force', 'start despite too little context, or restore a file that was changed since');
  },
  async run(context, { args: [name, ...args], options }) {
    if (name === undefined) return listClients(context);
    const client = CLIENTS.find((one) => one.name === name);
    if (!client) throw unknownClient(name);
    const { refuseHost } = await import('../../client/refuse-host.ts');
    refuseHost(context, 'launch');
    if (options.restore) {
      const { restore } = await import('../../launch/config-change.ts');
      const { launchFolder } = await import('../../launch/launch.ts');
      const path = restore(client, launchFolder(context), options.force === true);
      const text =
        path === undefined ? `askd has not changed any file of ${client.title}.` : `Restored ${path}.`;
      return context.output.result({ schema: 'launch-restore/1', path: path ?? null }, () => text);
    }
    const { launchClient } = await import('../../launch/launch.ts');
    return launchClient(context, client, { args, options });
  },
});

function listClients({ output }: Context): void {
  const clients = CLIENTS.map(({ name, title, install }) => ({ name, title, install }));
  output.result({ schema: 'launch-list/1', clients }, () =>
    renderTable(
      clients,
      [
        { title: 'NAME', value: ({ name }) => name },
        { title: 'CLIENT', value: ({ title }) => title },
        { title: 'INSTALL', value: ({ install }) => install },
      ],
      output,
    ),
  );
}

function unknownClient(name: string): Failure {
  const names = CLIENTS.map((client) => client.name);
  return new Failure('not_found', `Unknown client "${name}".${didYouMean(name, names)}`, {
    details: {
      fix: 'askd launch lists the clients; any other client needs the base URL and key that askd up prints',
    },
  });
}
