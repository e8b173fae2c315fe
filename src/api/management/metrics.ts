import { endpoint } from '../endpoint.ts';
import { Type } from '../schema.ts';

export const metrics = endpoint({
  method: 'GET',
  path: '/metrics',
  summary: "Get the daemon's metrics in Prometheus' text format",
  tag: 'Daemon',
  access: 'read',
  response: Type.String({ description: "Prometheus' text format, version 0.0.4." }),
  produces: ['text/plain'],
});
