import type { Endpoint } from '../../src/api/endpoint.ts';
import { ENDPOINTS } from '../../src/api/endpoints.ts';

/** The endpoints at the path of this URL, whatever the method. */
export function endpointsAt(url: string): Endpoint[] {
  const path = url.split('?')[0] ?? '';
  return ENDPOINTS.filter((endpoint) => matches(endpoint.path, path));
}

export function toRouterPath(path: string): string {
  return path.replace(/\{\w+\*\}/g, '*').replace(/\{(\w+)\}/g, ':$1');
}

function matches(template: string, path: string): boolean {
  const pattern = toRouterPath(template).replace(/:\w+/g, '[^/]+').replace('*', '.+');
  return new RegExp(`^${pattern}$`).test(path);
}
