import type { Finding } from '../../src/api/management/library.ts';
import { freeDiskBytes } from '../../src/base/free-disk.ts';
import type { Diagnostic } from './diagnostic.ts';

const LOW_BYTES = 5e9;
const FULL_BYTES = 500e6;

export const diagnoseDisk: Diagnostic = ({ settings }) => [
  diagnoseFolder('disk of the home', settings.paths.home, 'set ASKD_HOME to a folder on a larger disk'),
  diagnoseFolder('disk of the models', settings.hub.cache, 'askd rm MODEL, or set HF_HOME to a larger disk'),
];

function diagnoseFolder(check: string, folder: string, fix: string): Finding {
  const free = freeDiskBytes(folder);
  const message = `${(free / 1e9).toFixed(1)} GB are free in ${folder}`;
  if (free < FULL_BYTES) return { check, level: 'problem', message, fix };
  if (free < LOW_BYTES) return { check, level: 'warning', message, fix };
  return { check, level: 'ok', message };
}
