import { Type } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const rotateRootToken = endpoint({
  method: 'POST',
  path: '/api/root-token/rotate',
  summary: 'Replace the owner token; the old one stops working at once',
  tag: 'Sessions',
  access: 'owner',
  response: Type.Object({ path: Type.String({ description: 'The file with the new token.' }) }),
});
