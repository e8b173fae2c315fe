import { describe, expect, test } from 'vitest';
import { openAgent } from '../../../helpers/agent/open-agent.ts';
import { perfectReader } from '../../../helpers/agent/reader.ts';
import { scriptedChat, type Script } from '../../../helpers/agent/scripted-chat.ts';
import { createWorld } from '../../../helpers/agent/world.ts';

const SENTENCE = 'The printer on the second floor is called Otto.';
const AMOUNT = 'Otto has 250 sheets.';
const documents = createWorld(3).pages.slice(0, 1);
for (const document of documents) document.paragraphs = [SENTENCE, AMOUNT];

const notesNothing: Script = (call) =>
  call.kind === 'facts' ? JSON.stringify({ facts: [] }) : perfectReader(call);

async function ask(query: string, script: Script) {
  const agent = await openAgent({ chat: scriptedChat(script), documents });
  return (await agent.run({ query })).done;
}

describe('a model that notes no fact', () => {
  test('is given the sentence that has the words of the question', async () => {
    expect((await ask('What is the printer called?', notesNothing))?.citations).toMatchObject([
      { quote: SENTENCE },
    ]);
    expect(await ask('Who bought the printer?', notesNothing)).toMatchObject({
      stopped: 'no_sources',
      citations: [],
    });
  });

  test('is given it although an amount answers a question for how many', async () => {
    const misquoted = { quote: 'Txt has 250 sheets.', fact: 'Txt has 250 sheets.' };
    const done = await ask('How many sheets has Otto?', (call) =>
      call.kind === 'facts' ? JSON.stringify({ facts: [misquoted] }) : perfectReader(call),
    );
    expect(done?.citations).toMatchObject([{ quote: AMOUNT }]);
  });

  test('and finds no answer in that sentence either shows it as the closest match', async () => {
    const done = await ask('What is the printer called?', (call) =>
      call.kind === 'answer' ? 'NOT_FOUND' : notesNothing(call),
    );
    expect(done?.answer).toContain(
      'I could not find this in the available sources.\n\nClosest matches:\n- The printer on the second floor is called Otto [1].',
    );
    expect(done).toMatchObject({ stopped: 'no_sources', sources: [{ n: 1 }] });
  });
});
