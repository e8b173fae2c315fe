import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const AUDIT_RECORDS_PER_PAGE_MAX = 500;

const OUTCOMES = ['started', 'succeeded', 'failed', 'refused'] as const;
const Text = Type.Union([Type.String(), Type.Null()]);
const State = (description: string) =>
  Type.Unknown({ description: `${description} Never a secret. Null if there is none.` });

export const AuditRecord = Type.Object(
  {
    seq: Type.Integer({ description: 'Increases by one with every record.' }),
    created_at: Type.String({ format: 'date-time' }),
    action: Type.String({ description: 'For example `api_key.create`.' }),
    object: Type.Union([Type.String(), Type.Null()], { description: 'The id or name of what was changed.' }),
    account: Type.Optional(
      Type.String({
        description: 'The name of the account that the action concerned, unless that is `default`.',
      }),
    ),
    outcome: Type.Enum(OUTCOMES, {
      description: '`refused` for a wrong credential; `started` while a long action is running.',
    }),
    code: Type.Union([Type.String(), Type.Null()], { description: 'The error code, if it failed.' }),
    actor: Type.Object({
      kind: Type.String({
        description:
          '`root_token`, `session`, `api_key`, `operator` for what was changed in files or variables of the machine, ' +
          '`payment_provider`, `daemon`, or `nobody` if unknown.',
      }),
      id: Text,
      name: Type.Union([Type.String(), Type.Null()], {
        description: 'The browser of a session, the prefix of a key, or `stripe`.',
      }),
    }),
    client: Type.Union([Type.String(), Type.Null()], { description: 'The `user-agent` of the request.' }),
    address: Type.Union([Type.String(), Type.Null()], { description: 'Where the request came from.' }),
    request_id: Text,
    before: State('What it was.'),
    after: State('What it became, or what was requested.'),
    hash: Type.String({ description: 'SHA-256 of this record and the hash of the previous one.' }),
  },
  { $id: 'AuditRecord' },
);
export type AuditRecord = Static<typeof AuditRecord>;

export const AuditQuery = Type.Object(
  {
    since: Type.Optional(Type.String({ format: 'date-time' })),
    until: Type.Optional(Type.String({ format: 'date-time' })),
    action: Type.Optional(
      Type.String({
        pattern: '^[a-z_]+(\\.[a-z_]+)?$',
        description: 'An action, or the kind of object, such as `api_key`, for all actions on it.',
      }),
    ),
    by: Type.Optional(
      Type.String({ maxLength: 500, description: 'A kind of actor, or the id or name of one.' }),
    ),
    object: Type.Optional(Type.String({ maxLength: 500 })),
    outcome: Type.Optional(Type.Enum(OUTCOMES)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: AUDIT_RECORDS_PER_PAGE_MAX, default: 50 })),
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'Only records with a lower `seq`.' })),
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only records with a higher `seq`, oldest first.' }),
    ),
  },
  { additionalProperties: false },
);
export type AuditQuery = Static<typeof AuditQuery>;

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit',
  summary: 'List who changed what and from where, newest first',
  tag: 'Audit log',
  access: 'management',
  query: AuditQuery,
  response: Type.Object({ records: Type.Array(AuditRecord), has_more: Type.Boolean() }),
});

export const verifyAudit = endpoint({
  method: 'GET',
  path: '/api/audit/verification',
  summary: 'Verify the hash chain of the audit log: whether a record was changed, added or removed',
  tag: 'Audit log',
  access: 'management',
  response: Type.Object({
    records: Type.Integer(),
    first: Type.Union([Type.Integer(), Type.Null()]),
    last: Type.Union([Type.Integer(), Type.Null()]),
    hash: Type.Union([Type.String(), Type.Null()], {
      description:
        'Of the last record. Store it elsewhere: while the log contains it, no record up to it was rewritten.',
    }),
    findings: Type.Array(Type.String(), { description: 'Empty if the chain is intact.' }),
  }),
});
