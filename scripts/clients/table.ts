import type { Checked, Feature } from './check.ts';

const HEAD = `# Clients

What real clients do with askd, as \`npm run check:clients\` saw it: each is installed from npm in exactly this version
and run against a daemon with small scripted models, agents by \`askd launch\`. "Ignored" is what they send that has no
effect here, as the response header \`x-askd-ignored\` names it. The inspector looks at askd as an MCP server; of the
reference servers, named \`server-…\`, a model of askd uses the tools.
`;

const NOT_RUN = `
Not run here: Aider (Python), Continue and Zed (editors); \`askd launch\` sets them up as their documentation says.
`;

/** The page of the documentation. */
export function clientsPage(checks: readonly Checked[]): string {
  const rows = checks.map(({ client, version, features, ignored }) => [
    client,
    version,
    namesOf(features, true),
    namesOf(features, false) || '-',
    ignored.map((name) => `\`${name}\``).join(', ') || '-',
  ]);
  const table = [['Client', 'Version', 'Works', 'Fails', 'Ignored'], Array<string>(5).fill('---'), ...rows];
  return `${HEAD}\n${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n${NOT_RUN}`;
}

function namesOf(features: readonly Feature[], isOk: boolean): string {
  return features
    .filter((feature) => feature.isOk === isOk)
    .map(({ name }) => name)
    .join(', ');
}
