import { openService } from '../daemon-control/service/service.ts';
import type { Check } from './check.ts';

/** The paths in an installed service may be outdated. */
export const checkService: Check = async (context) => {
  const check = 'service';
  const isKnown = ['linux', 'darwin', 'win32'].includes(process.platform);
  if (!isKnown) return [];
  const service = openService(context);
  if (!service.isInstalled())
    return [{ check, level: 'ok', message: 'not installed; to install it: askd service install' }];
  if (!(await service.isCurrent())) {
    const message = `${service.file} is out of date: a path has changed`;
    return [{ check, level: 'warning', message, fix: 'askd service install' }];
  }
  const isRunning = await service.isRunning();
  if (!isRunning)
    return [
      { check, level: 'warning', message: `${service.name} is not running it`, fix: 'askd service install' },
    ];
  return [{ check, level: 'ok', message: `${service.name} is running it` }];
};
