import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const Snapshot = Type.Object(
  {
    path: Type.String({
      description: 'A copy of the database on this machine, kept until the next one or the next start.',
    }),
    bytes: Type.Integer(),
  },
  { $id: 'Snapshot' },
);
export type Snapshot = Static<typeof Snapshot>;

export const takeSnapshot = endpoint({
  method: 'POST',
  path: '/api/daemon/snapshot',
  summary: 'Copy the database as it is at this moment, for askd backup',
  tag: 'Daemon',
  access: 'owner',
  response: Snapshot,
});
