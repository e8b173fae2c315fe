import { describe, expect, test } from 'vitest';
import { pressInDialog, type Dialog } from '../../../../cli/tui/dialog/dialog.ts';

function pressAll(dialog: Dialog, keys: readonly string[]) {
  let at: Dialog | undefined = dialog;
  let submitted;
  for (const key of keys) {
    if (at === undefined) break;
    const result = pressInDialog(at, key, key.length === 1 ? key : key === 'space' ? ' ' : '');
    at = result.dialog;
    submitted = result.submitted ?? submitted;
  }
  return { dialog: at, submitted };
}

const form: Dialog = {
  kind: 'form',
  title: 'A form',
  focus: 0,
  submit: 'it',
  fields: [
    { kind: 'text', name: 'name', label: 'name', value: '' },
    {
      kind: 'flags',
      name: 'scopes',
      label: 'scopes',
      value: ['chat'],
      choices: ['chat', 'read', 'write'],
      at: 0,
    },
    { kind: 'choice', name: 'tier', label: 'tier', value: 'free', choices: ['free', 'startup'] },
  ],
};

describe('a form', () => {
  test('is filled with keys alone and sent with Enter on its last field', () => {
    const keys = [
      'a',
      'x',
      'backspace',
      'b',
      'enter',
      'right',
      'space',
      'left',
      'space',
      'tab',
      'right',
      'enter',
    ];
    const { submitted, dialog } = pressAll(form, keys);
    expect(submitted).toEqual({ submit: 'it', answers: { name: 'ab', scopes: ['read'], tier: 'startup' } });
    expect(dialog).toMatchObject({ isBusy: true });
  });

  test('takes nothing while it is sent, and Esc leaves it', () => {
    const busy = { ...form, isBusy: true };
    expect(pressAll(busy, ['a', 'enter']).dialog).toEqual(busy);
    expect(pressAll(form, ['a', 'esc'])).toEqual({ dialog: undefined, submitted: undefined });
  });
});

describe('a dangerous question', () => {
  const revoke: Dialog = {
    kind: 'confirm',
    title: 't',
    text: 'x',
    expected: 'laptop',
    typed: '',
    submit: 'end',
    about: 'key_1',
  };

  test('takes the name typed out, and nothing else', () => {
    expect(pressAll(revoke, ['y', 'enter'])).toMatchObject({
      submitted: undefined,
      dialog: { error: 'That is not "laptop". Nothing was changed.' },
    });
    expect(pressAll(revoke, [...'laptop', 'enter']).submitted).toEqual({
      submit: 'end',
      about: 'key_1',
      answers: {},
    });
  });

  test('without a name takes y', () => {
    const plain: Dialog = { kind: 'confirm', title: 't', text: 'x', typed: '', submit: 'end' };
    expect(pressAll(plain, ['enter']).submitted).toBeUndefined();
    expect(pressAll(plain, ['y']).submitted).toMatchObject({ submit: 'end' });
    expect(pressAll(plain, ['n']).dialog).toBeUndefined();
  });
});
