import type { MessageTool } from '../../../src/api/chat/message-tools.ts';
import type { JsonSchema, ToolDefinition } from '../../../src/runtime/engine.ts';

type Known = { family: RegExp; name: string; toDefinition: (type: string, tool: MessageTool) => Offered };
type Offered = { description: string; parameters: JsonSchema };

/** The definition of a client-side tool that a type stands for; undefined for other types. */
export function clientTool(type: string, tool: MessageTool): ToolDefinition | undefined {
  const known = KNOWN.find(({ family }) => family.test(type));
  if (!known) return undefined;
  return { name: tool.name ?? known.name, ...known.toDefinition(type, tool) };
}

const text = (description: string) => ({ type: 'string', description });
const whole = (description: string) => ({ type: 'integer', description });
const object = (properties: Record<string, unknown>, required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

const KNOWN: readonly Known[] = [
  { family: /^bash_\d+$/, name: 'bash', toDefinition: bash },
  { family: /^text_editor_\d+$/, name: 'str_replace_based_edit_tool', toDefinition: textEditor },
  { family: /^memory_\d+$/, name: 'memory', toDefinition: memory },
  { family: /^computer_\d+$/, name: 'computer', toDefinition: computer },
];

function bash(): Offered {
  return {
    description: 'Runs a command in a shell that stays open between calls, and returns what it prints.',
    parameters: object(
      {
        command: text('The command to run. Required unless the shell is restarted.'),
        restart: {
          type: 'boolean',
          description: 'True to start the shell anew instead of running a command.',
        },
      },
      [],
    ),
  };
}

const PATH = text('The absolute path of the file or folder.');
const FILE_TEXT = text('For create: all of the new file.');
const OLD_STR = text('For str_replace: the text to replace. It must occur in the file exactly once.');
const INSERT_LINE = whole('For insert: the line after which the text goes; 0 is the beginning.');
const VIEW_RANGE = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  description: 'For view of a file: the first and the last line, from 1; -1 is the end.',
};

/** These versions had undo; later ones have a separate field for inserted text. */
const EDITORS_THAT_UNDO = ['text_editor_20241022', 'text_editor_20250124'];
const EDITORS_BEFORE_INSERT_TEXT = [...EDITORS_THAT_UNDO, 'text_editor_20250429'];

function textEditor(type: string): Offered {
  const undo = EDITORS_THAT_UNDO.includes(type) ? ['undo_edit'] : [];
  const insertsNewStr = EDITORS_BEFORE_INSERT_TEXT.includes(type);
  return {
    description: 'Views, creates and edits text files.',
    parameters: object(
      {
        command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', ...undo] },
        path: PATH,
        file_text: FILE_TEXT,
        old_str: OLD_STR,
        new_str: text(`For str_replace${insertsNewStr ? ' and insert' : ''}: the new text.`),
        insert_line: INSERT_LINE,
        ...(!insertsNewStr && { insert_text: text('For insert: the text to insert.') }),
        view_range: VIEW_RANGE,
      },
      ['command', 'path'],
    ),
  };
}

function memory(): Offered {
  return {
    description:
      'Keeps notes in files under /memories, which last beyond this conversation. Look at what is there before you begin.',
    parameters: object(
      {
        command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'] },
        path: text('The file or folder, under /memories. For all but rename.'),
        file_text: FILE_TEXT,
        old_str: OLD_STR,
        new_str: text('For str_replace: the new text.'),
        insert_line: INSERT_LINE,
        insert_text: text('For insert: the text to insert.'),
        view_range: VIEW_RANGE,
        old_path: text('For rename: what to rename.'),
        new_path: text('For rename: its new path.'),
      },
      ['command'],
    ),
  };
}

const POINT = { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 };
const FIRST_ACTIONS = [
  ...['key', 'type', 'mouse_move', 'left_click', 'left_click_drag', 'right_click', 'middle_click'],
  ...['double_click', 'screenshot', 'cursor_position'],
];
const LATER_ACTIONS = ['left_mouse_down', 'left_mouse_up', 'scroll', 'hold_key', 'wait', 'triple_click'];

function computer(
  type: string,
  { display_width_px: width, display_height_px: height }: MessageTool,
): Offered {
  const isFirst = type === 'computer_20241022';
  const size = width && height ? ` The screen is ${width} pixels wide and ${height} high.` : '';
  return {
    description: `Looks at a screen by screenshots, and uses its mouse and keyboard.${size} Coordinates are [x, y] from the top left.`,
    parameters: object(
      {
        action: { type: 'string', enum: isFirst ? FIRST_ACTIONS : [...FIRST_ACTIONS, ...LATER_ACTIONS] },
        coordinate: { ...POINT, description: 'Where: for the mouse.' },
        text: text('What to type, or the keys to press, such as ctrl+s.'),
        ...(!isFirst && {
          start_coordinate: { ...POINT, description: 'For left_click_drag: where it begins.' },
          scroll_direction: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
          scroll_amount: whole('For scroll: how many clicks of the wheel.'),
          duration: { type: 'number', description: 'For wait and hold_key: seconds.' },
        }),
      },
      ['action'],
    ),
  };
}
