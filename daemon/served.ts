import type { ServedBy } from '../src/inference/metered.ts';

/** Tells the client where its model runs, and why not elsewhere. */
export function servedHeaders({ artifact, device, fallback }: ServedBy): Record<string, string> {
  const headers = { 'x-askd-artifact': headerText(artifact), 'x-askd-device': headerText(device) };
  return fallback === undefined ? headers : { ...headers, 'x-askd-fallback': headerText(fallback) };
}

/** Names of cards and files may hold what no header can. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
