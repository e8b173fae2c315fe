import type { SavedChat } from '../../../src/api/management/chats.ts';
import { Failure } from '../../../src/base/errors.ts';
import { whyNoChat } from '../../models/missing.ts';
import { downloadBytes, sizeText } from '../../models/pull/download-size.ts';
import { attachImage, createAttachments } from '../../chat/attach.ts';
import { exportChat } from '../../chat/export-chat.ts';
import { change, isAnswering } from '../chat/ask.ts';
import { showMessage } from '../chat/show-message.ts';
import { stopAnswer } from '../chat/typing.ts';
import {
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
import type { Dialog } from '../dialog/dialog.ts';
import type { ActionId } from '../keyboard/keymap.ts';
import { NEW_CHAT, openConversation } from '../state/selection.ts';
import { back } from './navigation.ts';

const HITS_MAX = 100;

function type(deck: Deck): void {
  deck.store.dispatch({ type: 'view', screen: 'chat', view: { pane: 'detail' } });
  change(deck, { isTyping: true });
}

/** In the list, it opens the conversation. */
function enter(deck: Deck): void {
  const { store } = deck;
  if (store.current().views.chat.pane === 'detail') return type(deck);
  store.dispatch({ type: 'view', screen: 'chat', view: { pane: 'detail', detail: '' } });
}

function begin(deck: Deck): void {
  deck.store.dispatch({ type: 'view', screen: 'chat', view: { selected: NEW_CHAT, detail: '' } });
  type(deck);
}

function stop(deck: Deck): void {
  if (isAnswering(deck)) stopAnswer(deck);
  else back(deck);
}

function fold(deck: Deck): void {
  change(deck, { isUnfolded: !deck.store.current().chat.isUnfolded });
}

async function chooseModel(deck: Deck): Promise<void> {
  const { data: models } = await deck.client().models();
  const choices = models
    .filter(({ capabilities }) => capabilities['chat'] !== false)
    .map(({ id, local }) => ({ id, text: `${id}  ${local.state.replace('_', ' ')}` }));
  openDialog(deck, {
    kind: 'pick',
    title: 'Choose a model',
    query: '',
    choices,
    at: 0,
    submit: 'chat.model',
  });
}

function search(deck: Deck): void {
  openDialog(deck, {
    kind: 'form',
    title: 'Search all conversations',
    focus: 0,
    submit: 'chat.search',
    fields: [
      { kind: 'text', name: 'text', label: 'words', value: '', hint: 'messages that contain all of them' },
    ],
  });
}

function save(deck: Deck): void {
  const { id, name } = opened(deck);
  openDialog(deck, {
    kind: 'form',
    title: `Export ${name}`,
    focus: 0,
    submit: 'chat.export',
    about: id,
    fields: [
      {
        ...{
          kind: 'choice',
          name: 'format',
          label: 'format',
          value: 'markdown',
          choices: ['markdown', 'json'],
        },
        hint: 'arrows choose; Markdown has the shown branch, JSON has all',
      },
    ],
  });
}

async function chooseTools(deck: Deck): Promise<void> {
  const { data: servers } = await deck.client().mcp.list();
  if (servers.length === 0)
    throw new Failure('not_found', 'There are no MCP servers yet.', {
      details: { fix: 'askd mcp add --help' },
    });
  openDialog(deck, {
    kind: 'form',
    title: 'Tools for the model',
    focus: 0,
    submit: 'chat.tools',
    fields: [
      {
        ...{ kind: 'flags', name: 'servers', label: 'MCP servers', at: 0 },
        value: deck.store.current().chat.servers,
        choices: servers.map(({ name }) => name),
        hint: 'space switches; tools that change something ask first',
      },
    ],
  });
}

function addImage(deck: Deck): void {
  openDialog(deck, {
    kind: 'form',
    title: 'Add an image to the next message',
    focus: 0,
    submit: 'chat.image',
    fields: [
      {
        kind: 'text',
        name: 'file',
        label: 'file',
        value: '',
        hint: 'PNG, JPEG, WebP or GIF; none removes all',
      },
    ],
  });
}

function remove(deck: Deck): void {
  const { id, name, title } = opened(deck);
  openDialog(deck, {
    kind: 'confirm',
    title: 'Delete a conversation',
    text: `Delete ${name}: ${title}`,
    typed: '',
    submit: 'chat.remove',
    about: id,
  });
}

/** A model that is not installed is offered; anything else that is missing is reported. */
async function offerModel(deck: Deck, model: string, missing: Failure): Promise<Dialog> {
  if (missing.details['fix'] !== `askd pull ${model}`) throw missing;
  const size = sizeText(await downloadBytes(deck.client(), model));
  return {
    kind: 'confirm',
    title: 'Download a model',
    text: `${model} is not installed. Pull it now?${size}`,
    typed: '',
    submit: 'chat.pull',
    about: model,
  };
}

/** The conversation that the keys apply to. */
function opened({ store }: Deck): SavedChat {
  const open = openConversation(store.current());
  if (open) return open;
  throw new Failure('not_found', 'There is no conversation here yet. i types a message.');
}

export const chat = {
  'chat.search': search,
  'chat.export': save,
  'chat.tools': chooseTools,
  'chat.image': addImage,
  'chat.remove': remove,
  'chat.type': type,
  'chat.enter': enter,
  'chat.new': begin,
  'chat.stop': stop,
  'chat.fold': fold,
  'chat.model': chooseModel,
} satisfies Partial<Record<ActionId, Act>>;

export const chatSubmissions: Record<string, Submission> = {
  'chat.search': async (deck, _about, answers) => {
    const text = textAnswer(answers, 'text');
    if (text === '') throw new Failure('invalid_value', 'There are no words to look for.');
    const { data: hits } = await deck.client().chats.search({ text, limit: HITS_MAX });
    if (hits.length === 0) throw new Failure('not_found', 'No message has all of these words.');
    const choices = hits.map(({ chat: { id, name }, message, role, snippet }) => ({
      id: `${id} ${message}`,
      text: `${name} (${role})  ${snippet}`,
    }));
    return { kind: 'pick', title: `Messages with ${text}`, query: '', choices, at: 0, submit: 'chat.hit' };
  },
  'chat.hit': async (deck, _about, answers) => {
    const [id = '', message = ''] = textAnswer(answers, 'choice').split(' ');
    await showMessage(deck, id, message);
    return undefined;
  },
  'chat.export': async (deck, id, answers) => {
    const format = answers['format'] === 'json' ? 'json' : 'markdown';
    const conversation = await deck.client().chats.get(id);
    const lines = exportChat(conversation, format).trimEnd().split('\n');
    const path = await deck.save(conversation.name, format === 'json' ? 'json' : 'md', lines);
    did(deck, `askd chats export ${conversation.name} --format ${format} --out ${quote(path)}`);
    say(deck, `Saved the conversation in ${path}.`);
    return undefined;
  },
  'chat.image': async (deck, _about, answers) => {
    const { store } = deck;
    const { images, model } = store.current().chat;
    const attachments = { ...createAttachments(deck.client()), files: [...images] };
    const text = await attachImage(
      attachments,
      openConversation(store.current())?.model ?? model,
      textAnswer(answers, 'file'),
    );
    change(deck, { images: attachments.files });
    say(deck, text, attachments.files.length === images.length ? 'bad' : 'good');
    return undefined;
  },
  'chat.tools': async (deck, _about, answers) => {
    const servers = listAnswer(answers, 'servers');
    change(deck, { servers });
    say(
      deck,
      servers.length === 0 ? 'The model has no tools.' : `The model may call tools of ${servers.join(', ')}.`,
    );
    return undefined;
  },
  'chat.remove': async (deck, id) => {
    deck.replies.stop(id);
    await deck.client().chats.remove(id);
    deck.store.dispatch({ type: 'view', screen: 'chat', view: { selected: NEW_CHAT, detail: '' } });
    await deck.loader.refresh('chats');
    did(deck, `askd chats rm ${id}`);
    say(deck, 'The conversation is deleted.');
    return undefined;
  },
  /** Until it is ready, the conversation continues with its model. */
  'chat.pull': async (deck, model) => {
    await deck.client().startPull({ model });
    did(deck, `askd pull ${quote(model)}`);
    say(deck, `${model} is downloading. Once it is ready, m chooses it.`);
    return undefined;
  },
  'chat.model': async (deck, _about, answers) => {
    const { store } = deck;
    const model = textAnswer(answers, 'choice');
    const missing = await whyNoChat(deck.client(), model);
    if (missing) return offerModel(deck, model, missing);
    const open = openConversation(store.current());
    change(deck, { model });
    if (open) {
      await deck.client().chats.update(open.id, { model });
      store.dispatch({ type: 'chat', change: { kind: 'changed', chat: open.id, change: { model } } });
      await deck.loader.refresh('chats');
    }
    say(deck, `The next answer comes from ${model}.`);
    return undefined;
  },
};
