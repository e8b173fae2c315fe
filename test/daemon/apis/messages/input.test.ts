import { describe, expect, test } from 'vitest';
import { toPrompt } from '../../../../daemon/apis/messages/input.ts';
import type { Reading } from '../../../../daemon/apis/messages/turns.ts';
import type { CountTokensRequest, TurnMessage } from '../../../../src/api/chat/messages.ts';
import type { ContentPart } from '../../../../src/runtime/engine.ts';

/** Returns the name of the requested file. */
function readingInto(left: string[]): Reading {
  return {
    readImage: (url) => Promise.resolve({ type: 'image', data: url, mime: 'image/png' }),
    readDocument: (url) => Promise.resolve(`the text of ${url}`),
    leaveOut: (name) => void left.push(name),
  };
}

const prompt = (body: Partial<CountTokensRequest>, left: string[] = []) =>
  toPrompt({ model: 'm', messages: [{ role: 'user', content: 'hello' }], ...body }, readingInto(left));
const turnsOf = async (messages: TurnMessage[], left?: string[]) =>
  (await prompt({ messages }, left)).messages;
const user = (...content: unknown[]): TurnMessage => ({ role: 'user', content: content as never });
const assistant = (...content: unknown[]): TurnMessage => ({ role: 'assistant', content: content as never });
const shown = async (block: object) => {
  const [turn] = await turnsOf([user(block)]);
  return (turn?.content as ContentPart[]).map((part) => (part.type === 'text' ? part.text : part.data));
};

describe('a document', () => {
  const question = { type: 'text', text: 'What does it say?' };

  test.each([
    ['a text', { type: 'text', media_type: 'text/plain', data: 'Hi.' }, 'Hi.'],
    ['contents', { type: 'content', content: 'Hi.' }, 'Hi.'],
    [
      'a PDF',
      { type: 'base64', media_type: 'application/pdf', data: 'QQ==' },
      'the text of data:application/pdf;base64,QQ==',
    ],
    ['an address', { type: 'url', url: 'https://x/y.pdf' }, 'the text of https://x/y.pdf'],
  ])('that is %s is shown between its marks', async (_what, source, text) => {
    expect(await shown({ type: 'document', source })).toEqual([`<document>\n${text}\n</document>`]);
  });

  test('includes its title and its context', async () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'Hi.' };
    expect(await shown({ type: 'document', source, title: 'A "note"', context: 'From 1999.' })).toEqual([
      '<document title="A \\"note\\"">\nFrom 1999.\n\nHi.\n</document>',
    ]);
  });

  test('may contain images, which are shown in their place', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } };
    const content = [{ type: 'text', text: 'before' }, image, { type: 'text', text: 'after' }];
    expect(await shown({ type: 'document', source: { type: 'content', content } })).toEqual([
      '<document>\nbefore',
      'data:image/png;base64,QQ==',
      'after\n</document>',
    ]);
  });

  test.each([
    ['document', { type: 'document', source: { type: 'file', file_id: 'file_1' } }, 'source.file_id'],
    ['image', { type: 'image', source: { type: 'file', file_id: 'file_1' } }, 'source.file_id'],
    ['upload', { type: 'container_upload' }, 'file_id'],
  ])('or an %s that is stored elsewhere is refused, with what to do', async (_what, block, param) => {
    await expect(turnsOf([user(question, block)])).rejects.toMatchObject({
      code: 'unsupported_parameter',
      param: `messages[0].content[1].${param}`,
      message: expect.stringContaining('The Files API is not supported') as string,
    });
  });

  test('with citations enabled is refused; with citations disabled it changes nothing', async () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'Hi.' };
    const cited = (enabled: boolean) => turnsOf([user({ type: 'document', source, citations: { enabled } })]);
    await expect(cited(true)).rejects.toMatchObject({ param: 'messages[0].content[0].citations' });
    expect(await cited(false)).toHaveLength(1);
  });
});

test('a search result says where it is from', async () => {
  const content = [
    { type: 'text', text: 'One.' },
    { type: 'text', text: 'Two.' },
  ];
  expect(await shown({ type: 'search_result', title: 'T', source: 'https://x', content })).toEqual([
    '<search_result title="T" source="https://x">\nOne.\n\nTwo.\n</search_result>',
  ]);
});

describe('the result of a tool', () => {
  const call = assistant({ type: 'tool_use', id: 't1', name: 'look', input: {} });
  const resultOf = async (content: unknown) =>
    (await turnsOf([call, user({ type: 'tool_result', tool_use_id: 't1', content })])).slice(1);

  test('may contain documents and tools that were found', async () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'Hi.' };
    const content = [
      { type: 'text', text: 'Found:' },
      { type: 'document', source },
      { type: 'tool_reference', tool_name: 'get_weather' },
    ];
    expect(await resultOf(content)).toEqual([
      {
        role: 'tool',
        toolCallId: 't1',
        content: 'Found:\n<document>\nHi.\n</document>\nThe tool get_weather is available.',
      },
    ]);
  });

  test('may be of an unknown kind', async () => {
    expect(await resultOf([{ type: 'star_chart', stars: ['Vega', 'Deneb'], brightness: 1 }])).toMatchObject([
      { content: 'stars: Vega\n\nDeneb\nbrightness: 1' },
    ]);
  });
});

describe("the work of a provider's tools", () => {
  const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'askd' } };
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: 's1',
    content: [{ type: 'web_search_result', title: 'Home', url: 'https://x', encrypted_content: 'Zm9v' }],
  };

  test('is a call and its result, and the answer continues after them', async () => {
    const turns = await turnsOf([
      user({ type: 'text', text: 'Look it up.' }),
      assistant({ type: 'text', text: 'Let me see.' }, search, found, { type: 'text', text: 'It is here.' }),
      user({ type: 'text', text: 'Thanks.' }),
    ]);
    expect(turns.slice(1, 4)).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        toolCalls: [{ id: 's1', name: 'web_search', arguments: '{"query":"askd"}' }],
      },
      { role: 'tool', toolCallId: 's1', content: 'title: Home\nurl: https://x' },
      { role: 'assistant', content: 'It is here.' },
    ]);
  });

  test.each([
    [
      'a page',
      { type: 'web_fetch_result', url: 'https://x', content: page('Hi.') },
      /^https:\/\/x\n<document>\nHi\./,
    ],
    [
      'a program',
      { type: 'code_execution_result', stdout: '42\n', stderr: '', return_code: 0 },
      /^stdout: 42\n/,
    ],
    [
      'an error',
      { type: 'web_search_tool_result_error', error_code: 'unavailable' },
      /^error_code: unavailable$/,
    ],
  ])('is shown: %s', async (_what, content, text) => {
    const result = { type: 'web_fetch_tool_result', tool_use_id: 's1', content };
    const turns = await turnsOf([assistant(search, result), user({ type: 'text', text: 'And?' })]);
    expect(turns[1]?.content).toMatch(text);
  });
});

function page(data: string) {
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data } };
}

test('reasoning that only its provider can read is left out, and named', async () => {
  const left: string[] = [];
  const thoughts = { type: 'thinking', thinking: 'Hm.', signature: 'any' };
  const turns = await turnsOf(
    [
      user({ type: 'text', text: 'hello' }),
      assistant({ type: 'redacted_thinking', data: 'Zm9v' }, thoughts, { type: 'text', text: 'Hi.' }),
      user({ type: 'text', text: 'And?' }),
    ],
    left,
  );
  expect(turns[1]).toEqual({ role: 'assistant', content: 'Hi.', reasoning: 'Hm.' });
  expect(left).toEqual(['messages[].content[].redacted_thinking']);
});

describe('a conversation that ends with the assistant', () => {
  test('is continued from its last letter', async () => {
    const messages: TurnMessage[] = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Well, ' },
    ];
    expect(await prompt({ messages })).toMatchObject({
      continues: true,
      messages: [{}, { role: 'assistant', content: 'Well, ' }],
    });
  });

  test('with an empty message waits for its answer', async () => {
    const messages: TurnMessage[] = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: '' },
    ];
    const { continues, messages: turns } = await prompt({ messages });
    expect([continues, turns]).toEqual([undefined, [{ role: 'user', content: 'hello' }]]);
  });
});

test('a system message may stand in the middle, and may hold until the next one of the user', async () => {
  const turns = await turnsOf([
    { role: 'user', content: 'hello' },
    { role: 'system', content: 'Be brief.', clear_at: 'next_user_message' },
    { role: 'assistant', content: 'Hi.' },
    { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
    { role: 'user', content: 'And?' },
    { role: 'system', content: 'Say it now.', clear_at: 'next_user_message' },
  ]);
  expect(turns.map(({ content }) => content)).toEqual(['hello', 'Hi.', 'Be kind.', 'And?', 'Say it now.']);
});

test('a schema may also come as output_format', async () => {
  const schema = { type: 'object' };
  expect(await prompt({ output_format: { type: 'json_schema', schema } })).toMatchObject({
    format: { type: 'schema', schema },
  });
});

test('reasoning is off unless requested', async () => {
  const efforts = [undefined, { type: 'between_tools' }, { type: 'adaptive' }] as const;
  const found = await Promise.all(
    efforts.map(async (thinking) => (await prompt({ ...(thinking && { thinking }) })).reasoning?.effort),
  );
  expect(found).toEqual(['none', 'none', 'high']);
});
