import { readFile } from 'node:fs/promises';

/** Throws when two processes were not started alike: by program, environment, cores that they may use, and priority. */
export async function requireLike(one: number, other: number): Promise<void> {
  if (process.platform !== 'linux') return;
  const [first, second] = await Promise.all([one, other].map(traitsOf));
  for (const [trait, value] of Object.entries(first ?? {})) {
    const there = second?.[trait];
    if (value !== there) {
      throw new Error(`The two sides are not alike in their ${trait}:\n${value}\n${there ?? 'nothing'}`);
    }
  }
}

async function traitsOf(pid: number): Promise<Record<string, string>> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8');
  const [program, environment, status, stat] = await Promise.all(
    ['cmdline', 'environ', 'status', 'stat'].map(read),
  );
  // The name, in brackets, may have spaces.
  const [priority, nice] = (stat?.split(') ')[1] ?? '').split(' ').slice(15, 17);
  return {
    program: words(program).join(' '),
    environment: words(environment)
      .filter((each) => !each.startsWith('ASKD_HOME='))
      .sort()
      .join('\n'),
    cores: /^Cpus_allowed_list:\s*(.+)$/m.exec(status ?? '')?.[1] ?? '',
    priority: `${priority} ${nice}`,
  };
}

function words(text = ''): string[] {
  return text.split('\0').filter((word) => word !== '');
}
