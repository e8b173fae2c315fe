import { readFile } from 'node:fs/promises';
import type { Device } from '../../runtime/devices/device.ts';

const NVIDIA = '/proc/driver/nvidia/version';

/** The version of the kernel's driver, if it is reported. */
export async function driverOf({ backend, name }: Device): Promise<string | null> {
  if (backend !== 'cuda' && !/nvidia/i.test(name)) return null;
  const text = await readFile(NVIDIA, 'utf8').catch(() => '');
  return /\b\d{3,}\.\d+(?:\.\d+)?\b/.exec(text)?.[0] ?? null;
}
