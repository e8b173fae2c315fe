import { describe, expect, test } from 'vitest';
import { checkGbnf } from '../../../../models/engines/grammar/gbnf.ts';
import { bundledGrammars } from '../../../../scripts/fixtures/llama-files.ts';

describe("a user's grammar", () => {
  test.each([
    'root ::= "yes" | "no"',
    'root ::= [a-z]+ [^\\n\\]"]* . "\\x41\\u00e9\\U0001F600\\"\\\\"',
    '# a comment\nroot  ::= (item ", ")* item # another\nitem ::=\n  "a" |\n  "b"\n',
    'root ::= (\n  "a"\n  | "b"\n)? "c"{2,3} "d"{4} "e"{5,}\n',
    'root ::= expr\nexpr ::= term ("+" term)*\nterm ::= [0-9]+ | "(" expr ")"',
    'root ::= a?\na ::= ""',
  ])('is accepted: %j', (grammar) => {
    expect(() => checkGbnf(grammar)).not.toThrow();
  });

  test.each([
    ['', 'the rule "root" is missing'],
    ['rot ::= "a"', 'the rule "root" is missing'],
    ['root ::= item', 'line 1: there is no rule "item"'],
    ['root ::= "a"\n\nroot2 ::= (b)', 'line 3: there is no rule "b"'],
    ['root ::= root "a"', 'line 1: the rule "root" is left-recursive'],
    ['root ::= "a"? root', 'is left-recursive'],
    ['root ::= a\na ::= ("" | b*) a "x"\nb ::= "b"', 'line 2: the rule "a" is left-recursive'],
    ['root ::= empty root\nempty ::= "x"*', 'is left-recursive'],
    ['root = "a"', 'line 1, at "= \\"a\\"": "::=" is missing after "root"'],
    ['root ::= "a', 'it is not terminated'],
    ['root ::= "\\q"', 'it is not terminated, or has an unknown escape'],
    ['root ::= [a-z', 'it is not terminated'],
    ['root ::= ("a"', '")" is missing'],
    ['root ::= "a")', 'this is unexpected'],
    ['root ::= "a"{9999}', 'at most 2000'],
    ['root ::= "a"{5,2}', 'is reversed'],
    ['root ::= \n"a" }', 'line 2'],
    [`root ::= ${'('.repeat(5000)}"a"${')'.repeat(5000)}`, 'nested more than 100 deep'],
  ])('is refused with the place and the reason: %j', (grammar, message) => {
    expect(() => checkGbnf(grammar)).toThrow(message);
  });
});

test("all of llama.cpp's own grammars are accepted", () => {
  const grammars = bundledGrammars();
  expect(grammars.size).toBeGreaterThan(5);
  for (const [name, text] of grammars) expect(() => checkGbnf(text), name).not.toThrow();
});
