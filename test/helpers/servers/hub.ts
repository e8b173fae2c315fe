import { onTestFinished } from 'vitest';
import { openHub, type HubOptions } from '../../../scripts/hub/hub.ts';

/** A hub for one test. */
export async function startHub(options: HubOptions = {}) {
  const hub = await openHub(options);
  onTestFinished(hub.close);
  return hub;
}
