import { Type } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const rotateRootToken = endpoint({
  method: 'POST',
  path: '/api/root-token/rotate',
  summary: 'Replace the owner’s token; the old one is refused from then on',
  tag: 'Sessions',
  access: 'owner',
  response: Type.Object({ path: Type.String({ description: 'The file that has the new one.' }) }),
});
