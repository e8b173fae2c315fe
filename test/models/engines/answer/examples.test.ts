import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import { createReading, openTemplate, type Read } from './reading.ts';

/**
 * What models write, and what it means. The facts are those of llama.cpp's tests/test-chat.cpp, without the tokens
 * that end a turn, since an engine shows none.
 */
type Example = Partial<Read> & { template: string; says: string; tools?: string[]; thinks?: boolean };
type ExampleTool = ToolDefinition & { key?: string };

const examples = rows<Example>('examples.jsonl');
const tools = new Map(
  rows<ExampleTool>('example-tools.jsonl').map(({ key, ...tool }) => [key ?? tool.name, tool]),
);
const names = [...new Set(examples.map(({ template }) => template))];

function rows<Row>(file: string): Row[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

function readingOf({ template, tools: wanted = [], thinks = true }: Example) {
  return createReading(openTemplate(template), {
    messages: [{ role: 'user', content: 'Hey there!' }],
    tools: wanted.map((name) => tools.get(name)).filter((tool) => tool !== undefined),
    templateArguments: { enable_thinking: thinks, thinking: thinks },
  });
}

describe('an answer is parsed the same however it is split', () => {
  test.each(names)('%s', (name) => {
    for (const example of examples.filter(({ template }) => template === name)) {
      const { says, content = '', thought = '', calls = [] } = example;
      const { read } = readingOf(example);
      const expected = { content, thought, calls };
      expect(read([...says])).toEqual(expected);
      for (let place = 0; place < says.length; place++) {
        expect(read([says.slice(0, place), says.slice(place)])).toEqual(expected);
      }
    }
  });
});
