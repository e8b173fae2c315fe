import { command } from '../../command.ts';
import { addScope, inScope, requireRoot, type ScopeOptions } from '../../daemon-control/service/scope.ts';
import { refuseHost } from '../../client/refuse-host.ts';

type UninstallOptions = ScopeOptions & { dryRun?: true; keepModels?: true; yes?: true };

const PROGRAM = 'The program itself is removed by npm: npm uninstall -g askd';

export const uninstall = command<UninstallOptions>({
  name: 'uninstall',
  group: 'Setup:',
  summary: 'remove everything that askd has written on this machine',
  details:
    'Lists what it will remove and asks first: the daemon, its service, models, database, secrets, logs, shell completion ' +
    'and changes to other programs. Model files imported in place and files that askd did not write stay.',
  examples: ['askd uninstall --dry-run', 'askd uninstall --keep-models', 'askd uninstall --yes'],
  configure(commander) {
    addScope(
      commander
        .option('--dry-run', 'only show what would be removed')
        .option('--keep-models', 'leave the model files')
        .option('-y, --yes', 'do not ask'),
    );
  },
  async run(outer, { options }) {
    refuseHost(outer, 'uninstall');
    if (options.system) requireRoot('askd uninstall --system');
    const context = inScope(outer, options);
    const { inventoryLines, takeInventory } = await import('../../daemon-control/uninstall/inventory.ts');
    const { paths, output, io, signal } = context;
    const inventory = await takeInventory(context, { keepModels: options.keepModels === true });
    const { items } = inventory;
    const lines = inventoryLines(inventory, paths.home);
    const report = (removed: boolean, kept: string[], text: string[]) =>
      output.result({ schema: 'uninstall/1', removed, items, kept }, () => text.join('\n'));
    if (options.dryRun) return report(false, [], [...lines, 'Nothing was changed.']);
    if (!options.yes) {
      output.talk(lines.join('\n'));
      const { confirm } = await import('../../prompt/confirm.ts');
      const agreed = await confirm(
        'Remove all of it? Credits, keys and usage are lost unless backed up (askd backup).',
        io,
        signal,
      );
      if (!agreed) return output.note('Nothing was changed.');
    }
    const { removeAll } = await import('../../daemon-control/uninstall/remove-all.ts');
    const kept = await removeAll(context, inventory);
    report(true, kept, [...lines.slice(0, -1), ...kept.map((each) => `kept      ${each}`), PROGRAM]);
  },
});
