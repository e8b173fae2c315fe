import { command } from '../../command.ts';

export const dashboard = command<{ open?: boolean }>({
  name: 'dashboard',
  group: 'Access:',
  summary: 'open the dashboard in a browser, signed in',
  details:
    'The link works once, within a minute. Without a display, or with --no-open or --json, it is printed.',
  examples: ['askd dashboard', 'askd dashboard --no-open'],
  configure(commander) {
    commander.option('--no-open', 'print the link instead of opening a browser');
  },
  async run({ connect, output, environment }, { options: { open } }) {
    const client = await connect();
    const link = await client.createLoginCode();
    const document = { schema: 'dashboard/1', ...link };
    const isWanted = open !== false && !output.json && environment.hasScreen;
    if (isWanted) {
      const { openInBrowser } = await import('../../prompt/browser.ts');
      if (await openInBrowser(link.login_url, environment))
        return output.note('Opening the dashboard in your browser.');
    }
    output.result(document, () => link.login_url);
    output.note('This link signs you in. It works once, within a minute.');
  },
});
