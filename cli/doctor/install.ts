import { version } from '../../src/base/version.ts';
import { packageRoot } from '../../src/base/paths.ts';
import type { Check } from './check.ts';

const NODE_MIN = [20, 19] as const;

export const checkInstall: Check = () => [
  { check: 'askd', level: 'ok', message: `${version}, in ${packageRoot}` },
  checkNode(process.versions.node),
];

export function checkNode(found: string) {
  const [major = 0, minor = 0] = found.split('.').map(Number);
  const isOld = major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1]);
  if (!isOld) return { check: 'Node', level: 'ok' as const, message: found };
  const message = `${found} is older than ${NODE_MIN.join('.')}`;
  return {
    check: 'Node',
    level: 'problem' as const,
    message,
    fix: 'install a newer one: https://nodejs.org',
  };
}
