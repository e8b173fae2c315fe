import { Failure } from '../../../src/base/errors.ts';
import { chosenFolder } from '../../chat/tools/folder/paths.ts';
import { startRun } from '../actions/agent.ts';
import { modelWords, modelSubmissions } from '../actions/models.ts';
import { quit } from '../actions/navigation.ts';
import { topUp } from '../actions/wallet.ts';
import { change } from '../chat/ask.ts';
import { attempt, openDialog, type Deck } from '../deck.ts';
import { SCREENS } from '../state/state.ts';

type Word = { takes?: string; run: (deck: Deck, argument: string) => void | Promise<void> };

/** Commands typed after a colon: verbs of the command line, and names of screens. */
const WORDS: Readonly<Record<string, Word>> = {
  quit: { run: quit },
  q: { run: quit },
  load: { takes: 'MODEL', run: (deck, model) => modelWords.load(deck, model) },
  stop: { takes: 'MODEL', run: (deck, model) => modelWords.stop(deck, model) },
  pull: {
    takes: 'MODEL',
    run: async (deck, model) => void (await modelSubmissions['models.pull']?.(deck, '', { model })),
  },
  ask: { takes: 'QUESTION', run: async (deck, query) => void (await startRun(deck, { query })) },
  folder: {
    takes: 'DIR',
    run(deck, folder) {
      change(deck, { folder: folder === 'none' ? undefined : chosenFolder(folder) });
      deck.store.dispatch({ type: 'go', screen: 'chat' });
    },
  },
  topup: {
    takes: 'AMOUNT',
    run: async (deck, amount) => openDialog(deck, await topUp(deck, Number(amount))),
  },
};

export async function runWords(deck: Deck, text: string): Promise<void> {
  const [name = '', ...rest] = text.trim().split(/\s+/);
  const screen = SCREENS.find((each) => each === name);
  if (screen !== undefined) return deck.store.dispatch({ type: 'go', screen });
  const argument = rest.join(' ');
  await attempt(deck, () => {
    const word = WORDS[name];
    if (word === undefined) {
      const known = [...SCREENS, ...Object.keys(WORDS)].join(', ');
      throw new Failure('invalid_value', `Unknown command "${name}". The commands are: ${known}.`);
    }
    if (word.takes !== undefined && argument === '')
      throw new Failure('missing_required_parameter', `It needs an argument: ${name} ${word.takes}`);
    return word.run(deck, argument);
  });
}
