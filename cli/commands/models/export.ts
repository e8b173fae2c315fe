import { resolve } from 'node:path';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';

export const exportModels = command<{ split?: string; settings: boolean; install?: true; gpu: boolean }>({
  name: 'export',
  group: 'Models:',
  summary: 'write models into an archive, for a machine without a network',
  details:
    'The archive has the models, their cards and licences, the services that they serve, and the settings that ' +
    'their answers depend on: no secrets, addresses or paths. askd import reads it. Every file has its hash. ' +
    'The same command continues an export that was interrupted.',
  examples: [
    'askd export ./models.tar svc-chat-v1 svc-embed-v1',
    'askd export /mnt/usb/models.tar svc-chat-v1 --split 4G    # models.tar.001, models.tar.002 …',
    'askd export /mnt/usb/askd.tar svc-chat-v1 --install       # for a machine that has no askd either',
    'askd import /mnt/usb/models.tar',
  ],
  configure(commander) {
    commander
      .argument('<file>', 'the archive to write')
      .argument('[models...]', 'service models, with what serves them, or ids of artifacts')
      .option('--split <size>', 'write parts of this size, such as 4G or 700M')
      .option('--install', 'add askd itself with its engines, for a machine of this kind without a network')
      .option('--no-gpu', 'with --install, leave out the builds of its engines for graphics cards')
      .option('--no-settings', 'leave the settings out');
  },
  async run(
    { connect, options: { host }, output },
    { args, options: { split, settings, install = false, gpu } },
  ) {
    const { exportedText, followArchive } = await import('../../models/archive.ts');
    const [file = '', ...models] = args;
    const splitBytes = split === undefined ? undefined : sizeOf(split);
    const client = await connect();
    const path = host === undefined ? resolve(file) : file;
    const request = {
      path,
      models,
      settings,
      install,
      gpu,
      ...(splitBytes !== undefined && { split_bytes: splitBytes }),
    };
    const done = await followArchive(client.exportArchive(request), output, 'askd export');
    output.result({ schema: 'export/1', ...done }, () => exportedText(done));
  },
});

const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

const SPLIT_BYTES_MIN = 2 ** 20;

/** The same units as `split`: 4G is 4 × 1024³ bytes. */
function sizeOf(text: string): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([KMGT])?(?:i?B)?$/i.exec(text.trim()) ?? [];
  const bytes = Math.floor(Number(count) * (UNITS[unit.toUpperCase()] ?? 1));
  if (bytes >= SPLIT_BYTES_MIN) return bytes;
  throw new Failure('invalid_value', `--split must be a size of 1M or more, such as 4G, not "${text}".`);
}
