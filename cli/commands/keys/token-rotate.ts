import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

export const tokenRotate = command({
  name: 'token rotate',
  group: 'Access:',
  summary: 'replace the owner token of this command line',
  details:
    'Use it if a backup or another program may have read the token. The old one stops working at once; commands read the ' +
    'new one from its file. Keys and sessions stay valid; to end them: askd keys revoke, askd session revoke --all.',
  examples: ['askd token rotate'],
  async run(context) {
    refuseHost(context, 'token rotate');
    const client = await context.connect();
    const { path } = await client.rotateRootToken();
    context.output.result(
      { schema: 'token-rotate/1', path },
      () => `The new token is in ${path}. The old one no longer works.`,
    );
  },
});
