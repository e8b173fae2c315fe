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
  summary: 'start a coding agent or editor that uses the models here',
  details:
    'Makes an API key for the client, checks that the model calls tools and has context enough, sets what the client needs ' +
    'and starts it. Claude Code, Codex, opencode and Aider are told by their environment and arguments; of Continue and ' +
    'Zed the configuration file is changed, which is shown first. What comes after -- goes to the client.',
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
      .argument('[arguments...]', 'for the client, after --')
      .option('-m, --model <model>', 'the model it uses (default: svc-code-v1, else svc-chat-v1)')
      .option('--print', 'only print what would be set and run')
      .option('-y, --yes', 'change its configuration file without asking')
      .option('--restore', 'put its configuration file back as it was')
      .option('--force', 'start it though the model has too little context, or restore a file changed since');
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
      const text = path === undefined ? `askd changed no file of ${client.title}.` : `${path} is as it was.`;
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
  return new Failure('not_found', `askd knows no client "${name}".${didYouMean(name, names)}`, {
    details: { fix: 'askd launch, to list them; any other client: base URL and key as askd up prints them' },
  });
}
