import { readFileSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { Failure } from '../../base/errors.ts';
import { messageText, type ChatPrompt } from '../../runtime/engine.ts';
import { likeness, objections, type Asked } from './match.ts';
import { parseScript, type Answer, type Rule } from './parse-script.ts';

export type Script = ReturnType<typeof createScript>;

/** The answers of a file. Changes to it apply to the next request, and restart every sequence. */
export function createScript(path: string) {
  let source: string | undefined;
  let rules: Rule[] = [];
  let given = new Map<Rule, number>();

  function refresh(): void {
    const now = read(path);
    if (now === source) return;
    rules = parseScript(now, path);
    source = now;
    given = new Map();
  }

  return {
    /** Fails if the file has no usable rules. */
    check(): void {
      if (isAbsolute(path)) return refresh();
      throw new Failure('config_invalid', `scripted_answers must be an absolute path, not ${path}.`);
    },
    answerTo(prompt: ChatPrompt): Answer {
      refresh();
      const asked = toAsked(prompt);
      const rule = rules.find(({ when }) => objections(when, asked).length === 0);
      if (!rule) throw notScripted(rules, asked, path);
      const turn = given.get(rule) ?? 0;
      given.set(rule, turn + 1);
      return rule.answers[Math.min(turn, rule.answers.length - 1)] ?? {};
    },
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const message = `The file of scripted answers cannot be read: ${(cause as Error).message}`;
    throw new Failure('config_invalid', message, { cause });
  }
}

function toAsked({ messages, raw }: ChatPrompt): Asked {
  if (raw) return { message: typeof raw.text === 'string' ? raw.text : '', results: [] };
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[last];
  return {
    message: message ? messageText(message) : '',
    results: messages
      .slice(last + 1)
      .filter(({ role }) => role === 'tool')
      .map(messageText),
  };
}

/** Shows the rule with the fewest mismatches, so that a test says at once what differs. */
function notScripted(rules: readonly Rule[], asked: Asked, path: string): Failure {
  const [nearest] = rules
    .map(({ when, line }) => ({ line, reasons: objections(when, asked), likeness: likeness(when, asked) }))
    .sort((one, other) => one.reasons.length - other.reasons.length || other.likeness - one.likeness);
  const why = nearest
    ? `The nearest is on line ${nearest.line}: ${nearest.reasons.join(', and ')}.`
    : 'It has no rules.';
  return new Failure('answer_not_scripted', `No rule of ${basename(path)} answers this request. ${why}`);
}
