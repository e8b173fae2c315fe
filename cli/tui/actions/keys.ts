import type { ApiKey, CreateApiKeyRequest, UpdateApiKeyRequest } from '../../../src/api/account/keys.ts';
import { Failure } from '../../../src/base/errors.ts';
import {
  attempt,
  did,
  listAnswer,
  openDialog,
  quote,
  say,
  textAnswer,
  type Act,
  type Deck,
  type Submission,
} from '../deck.ts';
import type { Dialog, Field } from '../dialog/dialog.ts';
import type { ActionId } from '../keyboard/keymap.ts';
import { selectedRow } from '../screens.ts';

const SCOPES = ['chat', 'read', 'write', 'admin'] as const;

const keyOf = ({ store, theme }: Deck) => selectedRow(store.current(), theme) as ApiKey | undefined;

function scopesField(value: readonly string[]): Field {
  return {
    kind: 'flags',
    name: 'scopes',
    label: 'scopes',
    value,
    choices: SCOPES,
    at: 0,
    hint: 'space switches, arrows move',
  };
}

function create(deck: Deck): void {
  openDialog(deck, {
    kind: 'form',
    title: 'Create a key',
    focus: 0,
    submit: 'keys.create',
    fields: [
      { kind: 'text', name: 'name', label: 'name', value: '', hint: 'what the key is for' },
      scopesField(['chat', 'read']),
      {
        kind: 'text',
        name: 'expires',
        label: 'expires',
        value: '',
        hint: 'a date such as 2027-01-31, or empty',
      },
    ],
  });
}

function edit(deck: Deck): void {
  const key = keyOf(deck);
  if (!key) return;
  openDialog(deck, {
    kind: 'form',
    title: `Change the key ${key.name}`,
    focus: 0,
    submit: 'keys.edit',
    about: key.id,
    fields: [{ kind: 'text', name: 'name', label: 'name', value: key.name }, scopesField(key.scopes)],
  });
}

function revoke(deck: Deck): void {
  const key = keyOf(deck);
  if (!key) return;
  openDialog(deck, {
    kind: 'confirm',
    title: 'Revoke a key',
    text: `Programs that use ${key.name} (${key.key_prefix}…) stop working at once. Type its name to revoke it for good.`,
    expected: key.name,
    typed: '',
    submit: 'keys.revoke',
    about: key.id,
  });
}

function rotate(deck: Deck): void {
  const key = keyOf(deck);
  if (!key) return;
  openDialog(deck, {
    kind: 'form',
    title: `Rotate the key ${key.name}`,
    focus: 0,
    submit: 'keys.rotate',
    about: key.id,
    fields: [
      {
        kind: 'text',
        name: 'grace',
        label: 'grace seconds',
        value: '0',
        hint: 'how long the old secret keeps working',
      },
    ],
  });
}

async function toggle(deck: Deck): Promise<void> {
  const key = keyOf(deck);
  if (!key) return;
  await deck.client().updateKey(key.id, { is_active: !key.is_active });
  did(deck, `askd keys update ${key.id} ${key.is_active ? '--off' : '--on'}`);
  await deck.loader.refresh('keys');
  say(deck, `${key.name} is ${key.is_active ? 'off: requests with it are refused' : 'on'}.`);
}

function secretOf(title: string, { name, key }: { name: string; key: string }): Dialog {
  return { kind: 'secret', title, secret: key, note: `The secret of ${name}. It is not shown again.` };
}

export const keys = {
  'keys.create': create,
  'keys.edit': edit,
  'keys.revoke': revoke,
  'keys.rotate': rotate,
  'keys.toggle': (deck) => attempt(deck, () => toggle(deck)),
} satisfies Partial<Record<ActionId, Act>>;

export const keySubmissions: Record<string, Submission> = {
  'keys.create': async (deck, _about, answers) => {
    const name = textAnswer(answers, 'name');
    const scopes = listAnswer(answers, 'scopes');
    const expires = textAnswer(answers, 'expires');
    const expiresMs = Date.parse(expires);
    if (expires !== '' && Number.isNaN(expiresMs))
      throw new Failure('invalid_value', 'The expiry must be a date such as 2027-01-31.');
    const body = { name, scopes, ...(expires !== '' && { expires_at: new Date(expiresMs).toISOString() }) };
    const created = await deck.client().createKey(body as CreateApiKeyRequest);
    did(deck, `askd keys create --name ${quote(name)} --scopes ${scopes.join(',')}`);
    await deck.loader.refresh('keys');
    deck.store.dispatch({ type: 'view', screen: 'keys', view: { selected: created.id } });
    return secretOf('A new key', created);
  },
  'keys.edit': async (deck, id, answers) => {
    const name = textAnswer(answers, 'name');
    const scopes = listAnswer(answers, 'scopes');
    await deck.client().updateKey(id, { name, scopes } as UpdateApiKeyRequest);
    did(deck, `askd keys update ${id} --name ${quote(name)} --scopes ${scopes.join(',')}`);
    await deck.loader.refresh('keys');
    say(deck, `${name} is changed.`);
    return undefined;
  },
  'keys.rotate': async (deck, id, answers) => {
    const grace = textAnswer(answers, 'grace');
    if (!/^\d+$/.test(grace))
      throw new Failure('invalid_value', 'The grace time must be a number of seconds.');
    const rotated = await deck.client().rotateKey(id, { grace_seconds: Number(grace) });
    did(deck, `askd keys rotate ${id} --grace ${grace}s`);
    await deck.loader.refresh('keys');
    return secretOf('The key with its new secret', rotated);
  },
  'keys.revoke': async (deck, id) => {
    await deck.client().deleteKey(id);
    did(deck, `askd keys revoke ${id} --yes`);
    await deck.loader.refresh('keys');
    say(deck, 'The key is revoked.');
    return undefined;
  },
};
