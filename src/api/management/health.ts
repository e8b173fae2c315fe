import { endpoint } from '../endpoint.ts';
import { Type } from '../schema.ts';

export const Health = Type.Object({
  status: Type.Literal('ok'),
  version: Type.String(),
  boot_id: Type.String({ description: 'Changes with every start.' }),
});

export const health = endpoint({
  method: 'GET',
  path: '/healthz',
  summary: 'Check that the daemon responds',
  tag: 'Daemon',
  access: 'public',
  response: Health,
});

/** llama-server's path, for programs that wait until a server is ready. */
export const healthAlias = endpoint({
  method: 'GET',
  path: '/health',
  summary: 'Check that the daemon responds, at the path of llama-server',
  tag: 'Daemon',
  access: 'public',
  response: Type.Object({ status: Type.Literal('ok') }),
});
