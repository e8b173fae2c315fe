import { fuzzyMatches } from './fuzzy.ts';

/** A modal dialog. `submit` names its handler. */
export type Dialog =
  | {
      kind: 'form';
      title: string;
      fields: readonly Field[];
      focus: number;
      submit: string;
      about?: string;
      error?: string;
      isBusy?: boolean;
    }
  /** With `expected`, only typing that text confirms. */
  | {
      kind: 'confirm';
      title: string;
      text: string;
      expected?: string;
      typed: string;
      submit: string;
      about?: string;
      error?: string;
      isBusy?: boolean;
    }
  | { kind: 'secret'; title: string; secret: string; note: string }
  | { kind: 'pages'; title: string; text: readonly string[]; offset: number; url?: string }
  /** One of many, found by typing some of its letters. */
  | {
      kind: 'pick';
      title: string;
      query: string;
      choices: readonly Choice[];
      at: number;
      submit: string;
      about?: string;
    };

export type Choice = { id: string; text: string };

export type Field =
  | { kind: 'text'; name: string; label: string; value: string; hint?: string }
  | { kind: 'choice'; name: string; label: string; value: string; choices: readonly string[]; hint?: string }
  | {
      kind: 'flags';
      name: string;
      label: string;
      value: readonly string[];
      choices: readonly string[];
      at: number;
      hint?: string;
    };

export type Answers = Record<string, string | readonly string[]>;

export type DialogResult = {
  dialog: Dialog | undefined;
  submitted?: { submit: string; about?: string; answers: Answers };
};

/** Handles a key in a dialog. Pure: the result says what to do. */
export function pressInDialog(dialog: Dialog, key: string, text: string): DialogResult {
  if (key === 'esc') return { dialog: undefined };
  switch (dialog.kind) {
    case 'form':
      return dialog.isBusy ? { dialog } : pressInForm(dialog, key, text);
    case 'confirm':
      return dialog.isBusy ? { dialog } : pressInConfirm(dialog, key, text);
    case 'secret':
      return { dialog: key === 'enter' ? undefined : dialog };
    case 'pages':
      return pressInPages(dialog, key);
    case 'pick':
      return pressInPick(dialog, key, text);
  }
}

type Form = Extract<Dialog, { kind: 'form' }>;
type Confirm = Extract<Dialog, { kind: 'confirm' }>;
type Pages = Extract<Dialog, { kind: 'pages' }>;
type Pick = Extract<Dialog, { kind: 'pick' }>;

function pressInForm(form: Form, key: string, text: string): DialogResult {
  const last = form.fields.length - 1;
  const to = (focus: number): DialogResult => ({
    dialog: { ...form, focus: Math.max(0, Math.min(last, focus)) },
  });
  if (key === 'down' || key === 'tab') return to(form.focus === last && key === 'tab' ? 0 : form.focus + 1);
  if (key === 'up' || key === 'shift+tab') return to(form.focus - 1);
  if (key === 'enter' && form.focus < last) return to(form.focus + 1);
  if (key === 'enter') {
    const answers = Object.fromEntries(form.fields.map(({ name, value }) => [name, value]));
    const { submit, about } = form;
    return {
      dialog: { ...withoutError(form), isBusy: true },
      submitted: { submit, answers, ...(about !== undefined && { about }) },
    };
  }
  const fields = form.fields.map((field, index) =>
    index === form.focus ? editField(field, key, text) : field,
  );
  return { dialog: { ...form, fields } };
}

function withoutError<D extends Form | Confirm>({ ...dialog }: D): D {
  delete dialog.error;
  return dialog;
}

function editField(field: Field, key: string, text: string): Field {
  if (field.kind === 'text') return { ...field, value: editText(field.value, key, text) };
  const step = key === 'left' ? -1 : key === 'right' ? 1 : 0;
  if (field.kind === 'choice') {
    const at = field.choices.indexOf(field.value) + (key === 'space' ? 1 : step);
    return { ...field, value: field.choices.at(at % field.choices.length) ?? field.value };
  }
  if (key !== 'space')
    return { ...field, at: (field.at + step + field.choices.length) % field.choices.length };
  const choice = field.choices[field.at] ?? '';
  const isOn = field.value.includes(choice);
  const value = field.choices.filter((each) => (each === choice ? !isOn : field.value.includes(each)));
  return { ...field, value };
}

export function editText(value: string, key: string, text: string): string {
  if (key === 'backspace' || key === 'shift+backspace') return [...value].slice(0, -1).join('');
  if (key === 'ctrl+u') return '';
  if (key === 'ctrl+w' || key === 'alt+backspace') return value.replace(/\S+\s*$/, '');
  // eslint-disable-next-line no-control-regex -- pasted text may contain them
  return value + text.replace(/[\u0000-\u001f\u007f]/g, '');
}

function pressInConfirm(confirm: Confirm, key: string, text: string): DialogResult {
  const { expected, submit, about } = confirm;
  const yes = {
    dialog: { ...withoutError(confirm), isBusy: true },
    submitted: { submit, answers: {}, ...(about !== undefined && { about }) },
  };
  if (expected === undefined)
    return text === 'y' || text === 'Y' ? yes : { dialog: text === 'n' ? undefined : confirm };
  if (key !== 'enter') return { dialog: { ...confirm, typed: editText(confirm.typed, key, text) } };
  if (confirm.typed === expected) return yes;
  return { dialog: { ...confirm, error: `That is not "${expected}". Nothing was changed.` } };
}

function pressInPages(pages: Pages, key: string): DialogResult {
  if (key === 'enter' || key === 'q') return { dialog: undefined };
  const steps: Record<string, number> = {
    down: 1,
    j: 1,
    up: -1,
    k: -1,
    'ctrl+d': 10,
    'ctrl+u': -10,
    pagedown: 10,
    pageup: -10,
  };
  const offset = Math.max(0, Math.min(pages.text.length - 1, pages.offset + (steps[key] ?? 0)));
  return { dialog: { ...pages, offset } };
}

function pressInPick(pick: Pick, key: string, text: string): DialogResult {
  const found = fuzzyMatches(pick.choices, pick.query);
  const steps: Record<string, number> = {
    down: 1,
    tab: 1,
    up: -1,
    'shift+tab': -1,
    pagedown: 10,
    pageup: -10,
  };
  const step = steps[key];
  if (step !== undefined)
    return { dialog: { ...pick, at: Math.max(0, Math.min(found.length - 1, pick.at + step)) } };
  if (key !== 'enter') return { dialog: { ...pick, query: editText(pick.query, key, text), at: 0 } };
  const chosen = found[pick.at];
  if (chosen === undefined) return { dialog: pick };
  const { submit, about } = pick;
  return {
    dialog: pick,
    submitted: { submit, answers: { choice: chosen.id }, ...(about !== undefined && { about }) },
  };
}
