import { writeRandomModel } from '../fixtures/random-model.ts';
import { RESULT_MARK, writeScriptedModel } from '../fixtures/scripted-model.ts';
import { writeWordEmbedder } from '../fixtures/word-embedder.ts';
import { writeWordRanker } from '../fixtures/word-ranker.ts';

export const NOTES = 'The launch code is 4711.';
export const SAID = `The file says: ${NOTES}`;

const open = (role: string) => `'<|im_start|>${role}\\n'`;
const CLOSE = "'<|im_end|>\\n'";
const CALLS = `{% for c in m.tool_calls %}{{ '\\n<tool_call>\\n{"name": "' + c.function.name + '", "arguments": ' }}{{ c.function.arguments | tojson }}{{ '}\\n</tool_call>' }}{% endfor %}`;
/** Agents say more after a result, so it need not be the last message. */
const MARK = `{% if messages | selectattr('role', 'equalto', 'tool') | list | length > 0 %}{{ '${RESULT_MARK}' }}{% endif %}`;
const TEMPLATE =
  `{% if tools %}{{ ${open('system')} }}{{ tools | tojson }}{{ ${CLOSE} }}{% endif %}` +
  `{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}{% if m.content %}{{ m.content }}{% endif %}` +
  `{% if m.tool_calls %}${CALLS}{% endif %}{{ ${CLOSE} }}{% endfor %}` +
  `{% if add_generation_prompt %}{{ ${open('assistant')} }}${MARK}{% endif %}`;

type Call = { name: string; arguments: object };

/** Always calls a tool, and answers with the file's content once it has a result. */
export function writeCallingModel(file: string, call: Call): Promise<unknown> {
  const text = `<tool_call>\n{"name": "${call.name}", "arguments": ${JSON.stringify(call.arguments)}}\n</tool_call>`;
  return writeScriptedModel(file, { text, chatTemplate: TEMPLATE, afterResult: SAID });
}

/** Everything that the text models can read. */
const WORDS = (
  'the a cat dog sat on mat sun moon is of blue red green sky bird fish eats water fire stone tree how what who ' +
  'france paris berlin germany capital'
).split(' ');

type Write = (file: string) => Promise<unknown>;

/** The models by the names that clients request; `notes` is a file that agents have to read. */
export function clientModels(notes: string): Readonly<Record<string, Write>> {
  return {
    words: (file) => writeScriptedModel(file, { text: 'Hello from askd.' }),
    weather: (file) => writeCallingModel(file, { name: 'get_weather', arguments: { city: 'Rome' } }),
    random: (file) => writeRandomModel(file, { architecture: 'qwen2', seed: 1, contextTokens: 4096 }),
    embedder: (file) => writeWordEmbedder(file, { words: WORDS }),
    ranker: (file) => writeWordRanker(file, { words: WORDS }),
    claude: (file) => writeCallingModel(file, { name: 'Read', arguments: { file_path: notes } }),
    codex: (file) => writeCallingModel(file, { name: 'exec_command', arguments: { cmd: 'cat notes.txt' } }),
    cn: (file) => writeCallingModel(file, { name: 'Read', arguments: { filepath: notes } }),
    opencode: (file) => writeCallingModel(file, { name: 'read', arguments: { filePath: notes } }),
  };
}
