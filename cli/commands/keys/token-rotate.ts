import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

export const tokenRotate = command({
  name: 'token rotate',
  group: 'Access:',
  summary: 'replace the token by which this command line is the owner',
  details:
    'For when a backup or another program may have read it. The old one is refused at once; commands read the new one ' +
    'from its file by themselves. Keys and sessions stay: askd keys revoke, askd session revoke --all.',
  examples: ['askd token rotate'],
  async run(context) {
    refuseHost(context, 'token rotate');
    const client = await context.connect();
    const { path } = await client.rotateRootToken();
    context.output.result(
      { schema: 'token-rotate/1', path },
      () => `The new token is in ${path}. The old one is refused from now on.`,
    );
  },
});
