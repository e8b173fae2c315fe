import { command } from '../../command.ts';
import { formatBytes } from '../../output/format.ts';

export const rm = command<{ force?: true }>({
  name: 'rm',
  group: 'Models:',
  summary: 'remove an artifact, or an alias of one',
  details:
    'Files that askd downloaded are deleted, unless another model or program uses them. Imported files ' +
    'stay where they are.',
  examples: ['askd rm qwen3.5-4b', 'askd rm --force my-model'],
  configure(commander) {
    commander
      .argument('<model>', 'id of an artifact, or an alias')
      .option('-f, --force', 'even if a service model is bound to it');
  },
  async run({ connect, output }, { args: [model = ''], options: { force } }) {
    const client = await connect();
    const removal = await client.remove({ model, ...(force && { force: true }) });
    output.result({ schema: 'rm/1', ...removal }, () => {
      const freed = removal.freed_bytes > 0 ? ` Freed ${formatBytes(removal.freed_bytes)}.` : '';
      const kept = removal.kept.map((path) => `\nKept: ${path}`).join('');
      return `Removed ${removal.id}.${freed}${kept}`;
    });
  },
});
